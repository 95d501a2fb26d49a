// Exports: what is replaced and removed, what is reviewed, and what stays behind.
import { of } from './row.mjs';

const several = 'files/exportSessions';
/** The test of the rules that find secrets. */
const rules = 'files/redaction';

export const exports = [
  ...of(
    'Exports of several sessions',
    'files/export/several/exportSessions',
    [several],
    [
      ['a failure of one session leaves the others', 'failure', "error.code !== 'no-space'", 'false'],
      ['sessions that couldn’t be reviewed aren’t written', 'SeveralExports.findings', 'this.sources = readable;', ''],
      ['a cancellation counts before the index', 'SeveralExports.write', 'signal?.throwIfAborted(); const index', 'const index'],
      ['entries are left out of their own session', 'SeveralExports.write', 'path === session.path', 'true'],
      ['the choices of the review count', 'SeveralExports.write', 'redaction?.choose(choices);', ''],
      ['the title is no finding', 'SeveralExports.findings', 'if (finding.field !== TITLE_KEY)', ''],
    ],
  ),
  ...of(
    'Folders of exports',
    'files/export/several/exportFolder',
    [several],
    [
      [
        'an export that ends early leaves nothing',
        'ExportFolder.remove',
        'for (const path of this.written) await unlink(path).catch(() => undefined);',
        '',
      ],
      ['a folder that is there is refused', 'ExportFolder.create', "errorCode(error) !== 'EEXIST'", 'true'],
    ],
  ),
  ...of(
    'Names of exports',
    'files/export/several/exportNames',
    [several],
    [
      ['have plain characters', 'plain', "'-'", "'.'"],
      ['are taken without case', 'exportNames', 'taken.has(free.toLowerCase())', 'taken.has(free)'],
    ],
  ),
  ...of(
    'Datasets',
    'files/export/several/dataset',
    [several],
    [
      ['signatures are empty', 'withoutSignatures', "values.set(string, '');", ''],
      ['pi’s own names stay', 'datasetNames', 'PI_NAME.test(own)', 'false'],
      ['the index is in order', 'datasetFiles', 'a.file < b.file ? -1 : 1', '0'],
    ],
  ),
  ...of(
    'Images in exports',
    'files/export/embedBlobs',
    ['files/exportSession', 'commands/exportSession'],
    [
      ['only images', 'blobEmbedder', 'if (!isImageData(image)) return undefined;', ''],
      ['none that is too large', 'blobEmbedder', 'bytes.length > Math.min(MAX_IMAGE, left)', 'false'],
      ['only where a message has its data', 'hashOf', "at?.key?.value !== 'data'", 'false'],
    ],
  ),
  ...of(
    'Metadata of images',
    'format/redact/imageMetadata',
    ['format/imageMetadata'],
    [
      ['comments of a JPEG', 'isJpegMetadata', 'if (marker === COMMENT) return true;', ''],
      ['profiles of a JPEG stay', 'isJpegMetadata', "bytes.startsWith('ICC_PROFILE', at + 4)", 'false'],
      ['a scan continues after stuffed zeros', 'endOfScan', 'next !== 0', 'true'],
      ['a scan continues after restarts', 'endOfScan', '!(next >= 0xd0 && next <= 0xd7)', 'true'],
      [
        'nothing follows a JPEG',
        'jpegParts',
        "if (marker === END_OF_IMAGE) return [...parts, '\\xff\\xd9'];",
        'if (marker === END_OF_IMAGE) return [...parts, bytes.slice(at)];',
      ],
      ['texts of a PNG', 'pngParts', 'if (!PNG_METADATA.has(type))', ''],
      ['bits of a WebP', 'webpParts', '& ~WEBP_METADATA_BITS', ''],
    ],
  ),
  ...of(
    'Redaction',
    'files/redact/redaction',
    ['files/redaction', several],
    [
      [
        'home folders of all sessions',
        'Redaction.of',
        'sessions.map(({ header }) => header)',
        'sessions.slice(0, 0).map(({ header }) => header)',
      ],
      ['another plan has other lines', 'Redaction.lines', 'learned?.plan === plan ? learned.found : undefined', 'learned?.found'],
    ],
  ),
  ...of(
    'Rules of secrets',
    'format/redact/detectors/encodedTexts',
    [rules],
    [
      ['escapes of escapes', 'encodedTexts', 'if (depth < MAX_DEPTH)', 'if (false)'],
      ['lines of Base64', 'textOfBase64', "match.replaceAll(/\\\\[rn]|[\\r\\n=]/g, '')", 'match'],
      ['texts in UTF-16', 'textOfBase64', ".replaceAll('\\0', '')", ''],
      ['Base64 in UTF-8', 'textOfBase64', "textOfBytes(bytes.replaceAll('\\0', ''))", "bytes.replaceAll('\\0', '')"],
      ['bytes that are an address by chance', 'encodedTexts', '&& !NO_CHANCE.test(decoded.slice(from, end))', '&& false'],
    ],
  ),
  ...of(
    'One placeholder for a secret',
    'format/redact/detectors/plainSecret',
    [rules],
    [
      ['numbers in HTML', 'characterOf', "if (!name.startsWith('#'))", 'if (true)'],
      ['escapes of escapes', 'withoutEscapes', 'depth < MAX_DEPTH', 'depth < 1'],
      ['the password of basic authentication', 'plainSecret', '(passwordIn(plain) ?? plain)', 'plain'],
      ['a token without a password', 'passwordIn', '|| NO_PASSWORD.test(password)', ''],
      ['home folders', 'plainSecret', "rule === 'home'", 'false'],
      ['letters of any case', 'plainSecret', ': plain.toLowerCase();', ': plain;'],
    ],
  ),
  ...of(
    'One placeholder for a secret',
    'format/redact/detectors/span',
    [rules],
    [['a password before a host is no address', 'mergeSpans', '&& !beginsInSecret(span, secrets)', '']],
  ),
  ...of(
    'Private keys',
    'format/redact/detectors/privateKeys',
    [rules],
    [
      ['a beginning that is missing', 'findPrivateKeys', 'cutBeginnings(text.slice(found), found, add);', ''],
      ['an end in another text', 'findPrivateKeys', 'border > 0 ? start + border : end', 'end'],
    ],
  ),
  ...of(
    'Assignments',
    'format/redact/detectors/assignments',
    [rules],
    [
      ['rows begin with a line', 'isTogether', '&& /^\\s*\\|/.test(text.slice(line, nameStart))', ''],
      ['pairs are arguments', 'isTogether', "if (groups['pair'] !== undefined)", 'if (false)'],
      ['letters in a variable', 'valueAt', '(isShell && isPlainPassword(name, part))', 'false'],
      ['types', 'isSecretValue', 'TYPE.test(value) ||', ''],
      ['names of sessions’ files', 'isMember', '!value.endsWith(SESSION_FILE) &&', ''],
      ['calls', 'valueAt', '!isShell && endAt(WHOLE_CALL, text, from) > from', 'false'],
      ['a word is uncertain', 'findAssignments', "kind: 'uncertain'", "kind: 'context'"],
      ['a UUID is uncertain', 'kindOfValue', "? 'uncertain'", "? 'context'"],
      ['names that say more than token', 'kindOfValue', '&& !OF_SECRET.test(before.slice(-MAX_OF_SECRET))', ''],
      ['tokens of a shell', 'kindOfValue', '&& !IN_SHELL.test(before)', ''],
      ['times are no keys', 'isKey', '|| isTime(value)', ''],
    ],
  ),
  ...of(
    'Personal data',
    'format/redact/detectors/personalData',
    [rules],
    [
      ['names that identify someone', 'findIn', '!isIdentifying(name) ||', ''],
      ['files of websites', 'findIn', '|| FILE_NAME.test(name)', ''],
    ],
  ),
  ...of(
    'Choices of a review',
    'format/redact/redactor',
    [rules],
    [
      ['a secret that is known in other forms', 'Redactor.redact', ', encodedTexts(inPlainText)]', ']'],
      ['chosen text is replaced everywhere', 'addIfChosen', 'if (this.isChosen(this.keyOf(plainSecret(value, UNCERTAIN))))', 'if (false)'],
    ],
  ),
  ...of(
    'Known secrets',
    'format/redact/detectors/knownValues',
    [rules],
    [
      ['not in identifiers', 'find', "kind: 'context'", "kind: 'format'"],
      ['as JSON', 'KnownValues.add', 'this.addForm(escaped);', ''],
      ['as JSON in JSON', 'KnownValues.add', 'this.addForm(JSON.stringify(escaped).slice(1, -1));', ''],
    ],
  ),
  ...of(
    'JSON Web Keys',
    'format/redact/scannedLine',
    [rules],
    [['their private members', 'namesBeside', "if (isKey && value === 'kty')", 'if (false)']],
  ),
  ...of(
    'Parts of an export',
    'format/write/exportPlan',
    ['files/exportSession'],
    [
      [
        'a left-out answer takes its results along',
        'outOfExport',
        "role === 'toolResult' && parentId !== null && calls.has(parentId)",
        'false',
      ],
      ['entries that are left out are', 'outOfExport', '|| leaveOut.has(head.id)', ''],
      ['a name goes with the message that it’s made of', 'keptName', 'leaveOut.has(id) && oneLine(text).includes(beginning)', 'false'],
      ['labels of what is left out go', 'planExport', '&& !(isAbout(head) && isDropped(head.targetId))', ''],
      ['the leaf stays where it was', 'planExport', 'isLeafLast ? [] :', 'true ? [] :'],
    ],
  ),
];
