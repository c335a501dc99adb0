/** The lines of code in a source, without imports, comments and empty lines. */
export const codeLines = (text: string): number =>
  text
    .replace(/^import [^;]*;/gm, '')
    .split('\n')
    .filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;

/** The one in the middle. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
