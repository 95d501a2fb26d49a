// The output of programs that run at the same time, one after the other.

/**
 * Prints in the order in which the programs began. The first one's output appears as it comes; that of the others once
 * those before have ended.
 * @param {(text: string) => void} [print]
 * @returns {() => { take: (text: string) => void, end: () => void }} called when a program begins
 */
export function oneAfterTheOther(print = (text) => process.stdout.write(text)) {
  const waiting = [];
  const flush = () => {
    for (let [first] = waiting; first; [first] = waiting) {
      print(first.texts.splice(0).join(''));
      if (!first.hasEnded) return;
      waiting.shift();
    }
  };
  return () => {
    const one = { texts: [], hasEnded: false };
    waiting.push(one);
    return {
      take: (text) => {
        one.texts.push(text);
        flush();
      },
      end: () => {
        one.hasEnded = true;
        flush();
      },
    };
  };
}
