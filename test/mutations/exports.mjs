// Exports: what is replaced and removed, what is reviewed, and what stays behind.
import { of } from './row.mjs';

const several = 'files/exportSessions';
/** The test of the rules that find secrets. */
const rules = 'files/redaction';
/** The test of the forms in which they find them. */
const forms = 'files/redactionForms';

export const exports = [
  ...of(
    'Exports of several sessions',
    'files/export/batch/batchExport',
    [several],
    [
      ['a failure of one session leaves the others', 'failure', "error.code !== 'no-space'", 'false'],
      ['sessions that couldn’t be reviewed aren’t written', 'BatchExport.findings', 'this.sources = readable;', ''],
      [
        'a cancellation is noticed before the index is written',
        'BatchExport.write',
        'signal?.throwIfAborted(); const index',
        'const index',
      ],
      ['entries are left out of their own session only', 'BatchExport.write', 'path === session.path', 'true'],
      ['the review’s choices apply', 'BatchExport.write', 'redaction?.choose(choices);', ''],
      ['a title isn’t reported as a finding', 'BatchExport.findings', 'if (!isInFacts(finding))', ''],
    ],
  ),
  ...of(
    'Folders of exports',
    'files/export/batch/exportFolder',
    [several],
    [
      [
        'an export that fails or is canceled leaves no files',
        'ExportFolder.remove',
        'for (const path of this.written) await unlink(path).catch(() => undefined);',
        '',
      ],
      ['an existing folder is refused', 'ExportFolder.create', "errorCode(error) !== 'EEXIST'", 'true'],
    ],
  ),
  ...of(
    'Names of exports',
    'files/export/batch/exportNames',
    [several],
    [
      ['have plain characters', 'plain', "'-'", "'.'"],
      ['differ by more than their case', 'exportNames', 'taken.has(free.toLowerCase())', 'taken.has(free)'],
    ],
  ),
  ...of(
    'Datasets',
    'files/export/batch/dataset',
    [several],
    [
      ['signatures of reasoning are emptied', 'withoutSignatures', "values.set(string, '');", ''],
      ['file names of pi are kept', 'datasetNames', 'PI_NAME.test(own)', 'false'],
      ['the manifest is sorted by file name', 'datasetFiles', 'a.file < b.file ? -1 : 1', '0'],
    ],
  ),
  ...of(
    'Images in exports',
    'files/export/embedBlobs',
    ['files/exportSession', 'commands/exportSession'],
    [
      ['only images are embedded', 'blobEmbedder', 'if (!isPicture(image)) return undefined;', ''],
      ['images that are too large aren’t embedded', 'blobEmbedder', 'bytes.length > Math.min(MAX_IMAGE, left)', 'false'],
      ['images are embedded only as the data of a message', 'blobEmbedder', 'of imageFields(strings)', 'of strings'],
    ],
  ),
  ...of(
    'Redaction of images’ metadata',
    'format/redact/imageMetadata',
    ['format/imageMetadata'],
    [
      ['comments of a JPEG are removed', 'isJpegMetadata', 'if (marker === COMMENT) return true;', ''],
      ['color profiles of a JPEG stay', 'isJpegMetadata', "bytes.startsWith('ICC_PROFILE', at + 4)", 'false'],
      ['a scan continues after stuffed zeros', 'endOfScan', 'next !== 0', 'true'],
      ['a scan continues after restarts', 'endOfScan', '!(next >= 0xd0 && next <= 0xd7)', 'true'],
      [
        'bytes after a JPEG are removed',
        'jpegParts',
        "if (marker === END_OF_IMAGE) return [...parts, '\\xff\\xd9'];",
        'if (marker === END_OF_IMAGE) return [...parts, bytes.slice(at)];',
      ],
      ['texts of a PNG are removed', 'pngParts', 'if (!PNG_METADATA.has(type))', ''],
      ['the flags of a WebP’s removed chunks are cleared', 'webpParts', '& ~WEBP_METADATA_BITS', ''],
    ],
  ),
  ...of(
    'Redaction',
    'files/redact/redaction',
    ['files/redaction', several],
    [
      [
        'the home folders of all sessions are replaced',
        'Redaction.of',
        'sessions.map(({ header }) => header)',
        'sessions.slice(0, 0).map(({ header }) => header)',
      ],
      [
        'another plan’s lines are examined again',
        'Redaction.lines',
        'learned?.plan === plan ? learned.found : undefined',
        'learned?.found',
      ],
    ],
  ),
  ...of(
    'Encoded secrets',
    'format/redact/detectors/encodedTexts',
    [rules, forms],
    [
      ['secrets in Base64 with line breaks are found', 'textOfBase64', "match.replaceAll(/\\\\[rn]|[\\s=>]/g, '')", 'match'],
      ['secrets in UTF-16 in Base64 are found', 'textOfBase64', ".replaceAll('\\0', '')", ''],
      ['secrets in UTF-8 in Base64 are found', 'textOfBase64', 'return textOfBytes(bytes);', 'return bytes;'],
      ['texts between the bytes in Base64 are found', 'textOfBase64', 'texts ? texts.join(BETWEEN) : undefined', 'undefined'],
      ['Base64 whose beginning is elsewhere is found', 'textOfBase64', '[0, 1, 2, 3]', '[0]'],
      ['the last line of Base64 may be short', 'wholeLines', "LAST_LINE.exec(text)?.[0] ?? ''", "''"],
    ],
  ),
  ...of(
    'Secrets in every form',
    'format/redact/everyForm',
    [rules, forms],
    [
      ['secrets in nested escapes are found', 'otherForms', 'depth < MAX_DEPTH', 'depth < 1'],
      ['secrets in Base64 in Base64 are found', 'find', 'if (progress.depth === MAX_BASE64) return;', 'if (progress.depth === 1) return;'],
      ['escapes of invisible characters are found', 'otherForms', 'decodedSeen ? derive(decodedSeen) : last', 'last'],
      ['bytes that look like an address by chance aren’t found', 'findInBase64', '|| !isBinary || NO_CHANCE.test(secret)', '|| true'],
    ],
  ),
  ...of(
    'Texts as they’re seen',
    'format/redact/seenText',
    [forms],
    [['invisible characters are left out', 'seenText', 'from = index + unseen.length;', 'from = index;']],
  ),
  ...of(
    'Texts that are shown as one',
    'format/redact/joinedTexts',
    [forms],
    [['secrets in several blocks are found', 'spansOfRuns', "if (span.kind === 'uncertain') continue;", 'continue;']],
  ),
  ...of(
    'Texts that are shown as one',
    'format/redact/lineDocument',
    [forms],
    [
      ['blocks of texts are one text', 'listOf', "at?.key?.value === 'text'", 'false'],
      ['only pictures aren’t searched', 'documentOf', 'outer ? new Set<JsonString>() : pictures(strings)', 'new Set(strings)'],
    ],
  ),
  ...of(
    'Texts in pieces',
    'format/redact/scannedLine',
    [forms],
    [['Base64 that is cut by a piece is found', 'scanLine', '|| (span.start === 0 && end > from)', '']],
  ),
  ...of(
    'Image fields',
    'format/redact/imageFields',
    [forms],
    [['images that aren’t whole are searched', 'pictures', 'isPicture(value)', 'true']],
  ),
  ...of(
    'Facts in exports',
    'files/export/exportContent',
    ['files/exportSession', forms],
    [
      ['a title is cut after its redaction', 'titleText', 'if (!isCut)', 'if (true)'],
      [
        'a last word that was cut isn’t part of a title',
        'titleText',
        'withoutLastWord(text.slice(0, TITLE_SOURCE))',
        'text.slice(0, TITLE_SOURCE)',
      ],
      ['the leaf is that of the redacted lines', 'takeHead', 'asString(leafId) ?? null', 'null'],
    ],
  ),
  ...of(
    'One placeholder for a secret',
    'format/redact/detectors/plainSecret',
    [rules],
    [
      ['numeric character references of HTML are decoded', 'characterOf', "if (!name.startsWith('#'))", 'if (true)'],
      ['nested escapes are decoded', 'withoutEscapes', 'depth < MAX_DEPTH', 'depth < 1'],
      ['basic authentication has the placeholder of its password', 'plainSecret', '(passwordIn(plain) ?? plain)', 'plain'],
      ['basic authentication with a token alone has the placeholder of the token', 'passwordIn', '|| NO_PASSWORD.test(password)', ''],
      ['home folders have one placeholder in all forms of path', 'plainSecret', "rule === 'home'", 'false'],
      ['secrets of any case have one placeholder', 'plainSecret', ': plain.toLowerCase();', ': plain;'],
    ],
  ),
  ...of(
    'One placeholder for a secret',
    'format/redact/detectors/span',
    [rules],
    [['a password before a host isn’t part of a mail address', 'mergeSpans', '&& !beginsInSecret(span, secrets)', '']],
  ),
  ...of(
    'Redaction of private keys',
    'format/redact/detectors/privateKeys',
    [rules],
    [
      ['keys whose beginning is missing are found', 'findPrivateKeys', 'cutBeginnings(text.slice(found), found, add);', ''],
      ['keys whose end is in another text are found', 'findPrivateKeys', 'border > 0 ? start + border : end', 'end'],
    ],
  ),
  ...of(
    'Redaction of assignments',
    'format/redact/detectors/assignments',
    [rules],
    [
      ['a table’s row must begin with its line', 'isTogether', '&& /^\\s*\\|/.test(text.slice(line, nameStart))', ''],
      ['a quoted pair must be the arguments of a call', 'isTogether', "if (groups['pair'] !== undefined)", 'if (false)'],
      ['passwords of letters alone are found in shell variables', 'valueAt', '(isShell && isPlainPassword(name, whole))', 'false'],
      ['calls aren’t secrets', 'valueAt', '!isShell && endAt(WHOLE_CALL, text, from) > from', 'false'],
      [
        'a value after a space alone is uncertain',
        'findAssignments',
        "rule: 'password', kind: 'uncertain'",
        "rule: 'password', kind: 'context'",
      ],
      ['a phrase in quotes is uncertain', 'valueAt', 'isUncertain: !isShell', 'isUncertain: false'],
      ['escaped quotes are part of a value', 'quotedAt', '|| (slashes - level) % (2 * (level + 1)) === 0', '|| true'],
      ['the value of a shell’s line ends at its delimiter', 'valueAt', 'isShell && SHELL_LINE.test(before)', 'false'],
      ['the value of a connection string ends at its delimiter', 'valueAt', 'isInConnection(before)', 'false'],
      ['code behind a value isn’t part of it', 'endOfRest', '|| CODE.test(rest)', ''],
    ],
  ),
  ...of(
    'Redaction of assignments',
    'format/redact/detectors/secretNames',
    [rules],
    [
      ['a UUID is uncertain', 'certaintyOf', 'isUuid(value) ||', ''],
      ['a token of a document is uncertain', 'certaintyOf', '|| OF_DOCUMENT.test(before)', ''],
      ['a UUID is certain after a name such as access token', 'certaintyOf', 'OF_SECRET.test(before) ||', ''],
      ['a UUID is certain in a shell variable', 'certaintyOf', '|| IN_SHELL.test(before)', ''],
    ],
  ),
  ...of(
    'Redaction of assignments',
    'format/redact/detectors/secretValues',
    [rules],
    [
      ['names of types aren’t secrets', 'isSecretValue', 'TYPE.test(value) ||', ''],
      ['names of session files aren’t taken for members of objects', 'isMember', '!value.endsWith(SESSION_FILE) &&', ''],
      ['times aren’t keys', 'isKey', '|| isTime(value)', ''],
      ['names of words aren’t keys', 'isKey', 'if (isMadeOfWords(value))', 'if (false)'],
    ],
  ),
  ...of(
    'Redaction of personal data',
    'format/redact/detectors/personalData',
    [rules],
    [
      ['only names that identify a person are replaced', 'findIn', '!isIdentifying(name) ||', ''],
      ['file names aren’t taken for mail addresses', 'findIn', '|| FILE_NAME.test(name)', ''],
    ],
  ),
  ...of(
    'Choices of a review',
    'format/redact/redactor',
    [rules],
    [
      ['a token in an address is an id', 'settled', 'this.addressed.has(value)', 'false'],
      ['a token that is in no address is found in other places', 'Redactor.redact', 'this.keep(value, this.settled(value, span));', ''],
      ['other forms of a known secret are found', 'Redactor.redact', 'other: [...other, ...known]', 'other'],
      ['chosen text is replaced everywhere', 'addIfChosen', 'if (this.isChosen(this.keyOf(plainSecret(value, UNCERTAIN))))', 'if (false)'],
    ],
  ),
  ...of(
    'Redaction of known secrets',
    'format/redact/detectors/knownValues',
    [rules],
    [
      ['values in identifiers are uncertain', 'find', "kind: 'context'", "kind: 'format'"],
      ['values are found as JSON, too', 'KnownValues.add', 'this.addForm(escaped);', ''],
      ['values are found as JSON in JSON, too', 'KnownValues.add', 'this.addForm(JSON.stringify(escaped).slice(1, -1));', ''],
    ],
  ),
  ...of(
    'Redaction of JSON Web Keys',
    'format/redact/lineDocument',
    [rules],
    [['private members are replaced', 'namesBeside', "if (isKey && value === 'kty')", 'if (false)']],
  ),
  ...of(
    'Parts of an export',
    'format/write/exportPlan',
    ['files/exportSession'],
    [
      [
        'the results of a left-out answer are left out',
        'outOfExport',
        "role === 'toolResult' && parentId !== null && calls.has(parentId)",
        'false',
      ],
      ['entries that were chosen are left out', 'outOfExport', '|| leaveOut.has(id)', ''],
      [
        'a name made of a left-out message is left out',
        'keptName',
        'leaveOut.has(id) && withSingleSpaces(text).includes(beginning)',
        'false',
      ],
      ['labels of left-out entries are left out', 'planExport', '|| (isAbout(head) && isDropped(head.targetId))', ''],
      ['the leaf stays where it was', 'planExport', 'isLeafLast ? [] :', 'true ? [] :'],
    ],
  ),
];
