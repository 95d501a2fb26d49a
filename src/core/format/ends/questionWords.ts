/**
 * Phrases that decide how a sentence with a question mark, or one after it, is meant. They are looked at only where the structure of
 * a text says that it ends with a question. A row for each language: add the phrase that was missed, and an end to the table of the
 * test.
 */

/** Polite endings: they ask for nothing that the work needs. */
const POLITE = [
  /\banything else\b/i,
  /\b(?:any|more|further|other) questions\b/i,
  /\bhow (?:can|may) i (?:help|assist)\b|\bwhat can i do for you\b/i,
  /\bwhat (?:would you like|do you want) to (?:do|work on|tackle)? ?(?:next|today)\b|^what.s next\?/i,
  /\b(?:does|do) (?:that|this|it) (?:help|make sense|answer)/i,
  /\bmake sense\?/i,
  /\bsonst noch (?:et)?was\b|\bweitere fragen\b|\bnoch fragen\b/i,
  /\b(?:autre chose|d.autres questions)\b/i,
  /\balgo más\b|\bmás preguntas\b/i,
  /\bmais (?:alguma|algo|perguntas)\b/i,
  /\b(?:qualcos|c.è )altro\b/i,
  /\bnog (?:iets|ergens)\b/i,
  new RegExp('\\bjeszcze w czymś|coś jeszcze\\b', 'i'),
  new RegExp(
    '(?:чем|чим)\\s+(?:ещё|еще|ще)|(?:что-нибудь|что-то|щось)\\s+(?:ещё|еще|ще)|(?:ещё|еще)\\s+(?:как\\S+\\s+)?(?:вопрос|помощ)',
    'i',
  ),
  new RegExp('还有(?:什么|其他|别的)|還有(?:什麼|其他|別的)|有什么可以帮|有什麼可以幫'),
  new RegExp('他に(?:何|なに|ご)|ほかに(?:何|なに|ご)'),
  new RegExp('더 (?:도와|필요|궁금)'),
  new RegExp('شيء آخر|أي أسئلة'),
  new RegExp('başka bir (?:şey|konu|soru)', 'i'),
  new RegExp('\\bnågot mer\\b|\\bnågot annat\\b|\\bještě něco\\b|\\bгоди[ст]ся\\b', 'i'),
];

/** Tags after a statement: they ask for agreement, unless the statement is about the person. */
const TAG = new RegExp(',\\s*(?:right|isn.t it|huh|eh|oder|n.est-ce pas|verdad|né|toch|правда)\\s*\\?$|对吧？$|ね？$', 'i');
const ABOUT_PERSON = new RegExp('\\b(?:you|your|du|dein|sie|ihr|vous|tu|usted|você)\\b|[你您]', 'i');

/** Sentences after a question that go on about it. */
const FOLLOWS_QUESTION = [
  /^\W*(?:y\/n|yes\/no|ja\/nein|oui\/non|s[ií]\/no)\W*$/i,
  /^(?:just |please )?(?:let me know|tell me|say so|say the word|confirm|advise)\b/i,
  /^i(?:.d| would| suggest| recommend| lean|.m leaning)\b|^my (?:recommendation|suggestion|preference)\b/i,
  /^(?:if (?:so|not|yes)|otherwise|either (?:way|is fine|works))\b/i,
  /^(?:sag|gib)(?: mir)?(?: einfach)? (?:kurz )?bescheid|^ich würde\b/i,
  /^(?:dites|dis)-moi\b|^je (?:recommande|suggère|préfère)\b/i,
  /^(?:dime|avísame|yo (?:elegiría|recomendaría))\b/i,
  /^(?:me avise|eu (?:recomendo|sugiro))\b/i,
  new RegExp('^(?:дай(?:те)? знать|я бы)', 'i'),
  new RegExp('^(?:请告诉我|我建议|建议)'),
  new RegExp('^(?:教えて|ご指示|おすすめは)'),
];

/** Addresses of the person, or of what the model may do: a list below such a question has the choices, not the answer. */
const ASKS_FOR_CHOICE = [
  /\b(?:you|your|should i|shall (?:i|we)|should we|may i|can i|do we|want me)\b/i,
  /^(?:so,? )?which (?:one|of|option|approach|way|should|\w+ should)\b/i,
  /\b(?:soll(?:en)? (?:ich|wir)|du|dir|dich|sie|ihnen|darf ich)\b/i,
  /\b(?:vous|tu|dois-je|voulez|préfér\w+)\b/i,
  /prefier|quier|\bdebo\b|\bte\b|\busted\b/i,
  /\b(?:você|prefere|devo|quer)\b|\b(?:preferisci|vuoi|devo)\b/i,
  /\b(?:wil je|zal ik|je)\b|\b(?:chcesz|wolisz|mam)\b/i,
  new RegExp('(?:^|\\s)(?:вы|вам|ты|тебе|мне|хотите|хочешь|нам)(?:\\s|\\?|$)', 'i'),
  new RegExp('[你您]|我应该|要我|我該|我该'),
  new RegExp('どちら|どれ|ましょうか|しますか|ですか'),
  new RegExp('원하|할까요|드릴까요|어느'),
  new RegExp('تريد|تفضل|می‌خواهید|istiyor|tercih'),
];

/** Beginnings of a question that only the person can answer. Words about it may follow. */
const DIRECT = [
  /^(?:shall|should|may) (?:i|we)\b|^(?:do|would|could|can|will) you\b|^should the\b/i,
  /^(?:soll(?:en)?|darf) (?:ich|wir)\b|^möchte(?:st du|n sie)\b|^kannst du\b/i,
  /^(?:dois|puis)-je\b|^(?:voulez|souhaitez|préférez|pouvez)-vous\b/i,
  /^¿(?:quier|prefier|debo|puedes)/i,
  /^(?:quer que|devo|vuoi|zal ik|czy mam|ska jag)\b/i,
  new RegExp('^(?:мне|хотите|хочешь)\\s', 'i'),
  new RegExp('^(?:需要我|要不要|我应该|是否)'),
];
/** Words with which the model answers its own question. */
const SELF_ANSWER = new RegExp('^(?:yes|no|nope|yep|because|sure|ja|nein|weil|oui|non|s[ií]|да|нет|是|不是|はい|いいえ)\\b', 'i');

/** Announcements of a list of questions. */
const ANNOUNCES = new RegExp(
  '^(?:\\p{L}+ ){0,2}(?:questions?|fragen?|preguntas?|domande|вопроса?|質問|问题)\\b[^.]*[:：]$|\\b(?:need to know|clarif\\w+|klären|answer these)\\b[^.]*[:：]$',
  'iu',
);

/** Requests without a question mark that only the person can answer. Such words alone say nothing: see `endsWithQuestion`. */
const REQUEST =
  /^(?:please )?(?:tell|let) me (?:know )?(?:which|what|where|who)\b|^(?:reply|answer) with\b|^please (?:tell me|send|provide|paste|share|confirm|choose|pick|specify)\b/i;

const some = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));

export const isPolite = (sentence: string): boolean => some(POLITE, sentence) || (TAG.test(sentence) && !ABOUT_PERSON.test(sentence));
export const followsQuestion = (sentence: string): boolean => some(FOLLOWS_QUESTION, sentence);
export const asksForChoice = (sentence: string): boolean => some(ASKS_FOR_CHOICE, sentence);
export const isRequest = (sentence: string): boolean => REQUEST.test(sentence);
export const isDirect = (sentence: string): boolean => some(DIRECT, sentence) && !isPolite(sentence);
export const isSelfAnswer = (sentence: string): boolean => SELF_ANSWER.test(sentence);
export const announcesQuestions = (sentence: string): boolean =>
  ANNOUNCES.test(sentence) || (new RegExp('[:：]$').test(sentence) && isDirect(sentence));
