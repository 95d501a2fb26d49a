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
    [['images that are too large aren’t embedded', 'blobEmbedder', 'bytes.length > Math.min(MAX_IMAGE, left)', 'false']],
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
      ['secrets in UTF-16 in Base64 are found', 'textOfBase64', ".replaceAll('\\0', '')", ''],
      ['texts between the bytes in Base64 are found', 'textOfBase64', 'texts ? texts.join(BETWEEN) : undefined', 'undefined'],
    ],
  ),
  ...of('Secrets in every form', 'format/redact/everyForm', [rules, forms], []),
  ...of('Texts as they’re seen', 'format/redact/seenText', [forms], []),
  ...of('Texts that are shown as one', 'format/redact/joinedTexts', [forms], []),
  ...of(
    'Texts that are shown as one',
    'format/redact/lineDocument',
    [forms],
    [['only pictures aren’t searched', 'documentOf', 'outer ? new Set<JsonString>() : pictures(strings)', 'new Set(strings)']],
  ),
  ...of('Texts in pieces', 'format/redact/scannedLine', [forms], []),
  ...of(
    'Image fields',
    'format/redact/imageFields',
    [forms],
    [['images that aren’t whole are searched', 'pictures', 'isPicture(value)', 'true']],
  ),
  ...of('Facts in exports', 'files/export/exportContent', ['files/exportSession', forms], []),
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
      ['calls aren’t secrets', 'valueAt', '!isShell && endAt(WHOLE_CALL, text, from) > from', 'false'],
    ],
  ),
  ...of(
    'Redaction of assignments',
    'format/redact/detectors/secretNames',
    [rules],
    [['a UUID is certain in a shell variable', 'certaintyOf', '|| IN_SHELL.test(before)', '']],
  ),
  ...of(
    'Redaction of assignments',
    'format/redact/detectors/secretValues',
    [rules],
    [
      ['names of types aren’t secrets', 'isSecretValue', 'TYPE.test(value) ||', ''],
      ['names of session files aren’t taken for members of objects', 'isMember', '!value.endsWith(SESSION_FILE) &&', ''],
      ['times aren’t keys', 'isKey', '|| isTime(value)', ''],
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
    [['chosen text is replaced everywhere', 'addIfChosen', 'if (this.isChosen(this.keyOf(plainSecret(value, UNCERTAIN))))', 'if (false)']],
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
