/** Forms of English words that no rule of endings gives. Pure. */

const FORMS = `become became|begin began begun|bind bound|break broke broken|bring brought|build built|buy bought|catch caught|choose chose
 chosen|come came|cut cutting|deal dealt|draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find
 found|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid
 hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|make made|mean meant|meet met|overwrite
 overwrote overwritten|override overrode overridden|pay paid|rebuild rebuilt|rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose
 risen|run ran|say said|see saw seen|seek sought|sell sold|send sent resend resent|shake shook shaken|shine shone|shoot shot|show shown|shrink
 shrank shrunk|sing sang sung|sink sank sunk|sleep slept|speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick
 stuck|strike struck|swear swore|sweep swept|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw
 thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|win won|wind wound|withdraw withdrew withdrawn|write wrote
 written|child children|person people|mouse mice|man men|woman women|foot feet|tooth teeth|half halves|leaf leaves|life lives|loss losses
 lost|choice chosen choose chose|datum data|index indices indexes|matrix matrices|vertex vertices|appendix appendices|criterion criteria|analysis
 analyses|crisis crises|axis axes|basis bases|slow slower slowest slowly slowness|fast faster fastest`;

/** By each form the others. */
const OTHERS = new Map<string, readonly string[]>();
for (const group of FORMS.split('|').map((words) => words.trim().split(/\s+/)))
  for (const word of group) {
    const inflected = group.slice(0, 1).flatMap((base) => [base, `${base}s`, `${base.replace(/e$/, '')}ing`]);
    OTHERS.set(word, [...(OTHERS.get(word) ?? []), ...new Set([...group, ...inflected].filter((other) => other !== word))]);
  }

/** Returns the other forms of an irregular word; of a regular one none. Also finds them by a base with `-s` or `-ing`. */
export function irregularForms(word: string): readonly string[] {
  const found =
    OTHERS.get(word) ?? OTHERS.get(word.replace(/s$/, '')) ?? OTHERS.get(word.replace(/ing$/, '')) ?? OTHERS.get(word.replace(/ing$/, 'e'));
  return found ?? [];
}
