/** A place in a text; line and column count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** A mistake in a text that may hold secrets: its position, a description, and what to do. It quotes nothing of the text. */
export interface TextProblem extends TextPlace {
  message: string;
  hint: string;
}

/** Returns the place of an offset in a text whose lines end with `\n`. */
export function textPlaceAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
