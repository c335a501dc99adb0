// Control characters but for line feed and tab; a terminal escape begins with one of them.
const control = '[^\\P{Cc}\\n\\t]';
const sequences = new RegExp(
  `${control}\\[[0-?]*[ -/]*[@-~]|${control}\\][^\\p{Cc}]*(?:\\p{Cc}\\\\?)|${control}`,
  'gu',
);
// Line separators, and what reverses or hides text: the source would not be what it looks like.
const deceptive = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Text by users or servers without anything that a terminal would obey. Line feeds and tabs stay. */
export function clean(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(sequences, '').replace(deceptive, '');
}

/** The same for a place that is one line. */
export const cleanLine = (text: string): string => clean(text).replace(/\s*\n\s*/g, ' ');

/** A value's text with what `clean` would drop made visible: a difference in it is a difference. Line feeds and tabs stay. */
export const visible = (text: string): string => text.replace(hidden, escaped);

/** The same as a JSON string. */
export const quote = (text: string): string => JSON.stringify(text).replace(hidden, escaped);

const hidden = /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
