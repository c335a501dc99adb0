import { RE2JS } from 're2js';

/** A pattern that the whole text of an input must match. */
export interface InputPattern {
  matches(text: string): boolean;
}

const maxPatternLength = 200;

/**
 * Parses the `pattern` of a template's input, or returns its fault. Anyone with a branch can write patterns, so they run in an engine that
 * takes linear time for every pattern. That engine supports neither lookaround nor backreferences.
 */
export function parseInputPattern(source: string): InputPattern | { wrong: string } {
  if (source.length > maxPatternLength)
    return { wrong: `a pattern can have at most ${maxPatternLength} characters` };
  if (/\\[1-9k]/.test(source)) return { wrong: 'backreferences (`\\1`) are not supported' };
  if (/\(\?(?!:)/.test(source))
    return { wrong: 'only `( )` and `(?: )` groups are supported, no lookaround' };
  try {
    // Editors check inputs with the same pattern, in their own engine.
    new RegExp(source, 'u');
  } catch {
    return { wrong: 'this is not a regular expression' };
  }
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return { matches: (text) => pattern.matches(text) };
  } catch (error) {
    return {
      wrong: `this regular expression is not supported: ${(error as Error).message.replace(/^.*regexp: /, '')}`,
    };
  }
}
