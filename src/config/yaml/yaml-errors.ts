import type { ErrorCode } from 'yaml';

type Told = { code: string; message: string; hint?: string };

// In our own words, since the parser's own messages may quote what stands there, which may be a secret.
const told: Partial<Record<ErrorCode, Told>> = {
  BAD_ALIAS: { code: 'yaml/alias', message: 'this alias cannot be understood' },
  BAD_DQ_ESCAPE: {
    code: 'yaml/syntax',
    message: 'a backslash in double quotes begins an escape, and this is not one',
    hint: 'write `\\\\`, or use single quotes',
  },
  BAD_INDENT: {
    code: 'yaml/syntax',
    message: 'the indentation does not fit the lines around it',
    hint: 'siblings begin in the same column; what is in brackets is indented further than its key',
  },
  BAD_SCALAR_START: {
    code: 'yaml/syntax',
    message: 'a text cannot begin with this character',
    hint: 'put it in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'there is a second `: ` on this line',
    hint: 'a text that contains `: ` goes in quotes',
  },
  DUPLICATE_KEY: { code: 'yaml/duplicate-key', message: 'duplicate key' },
  KEY_OVER_1024_CHARS: { code: 'yaml/syntax', message: 'this key is too long' },
  MISSING_CHAR: {
    code: 'yaml/syntax',
    message: 'something is missing here: a `:` after a key, a closing quote or a closing bracket',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'a key must stand on one line, with a `:` after it',
  },
  RESOURCE_EXHAUSTION: { code: 'yaml/depth', message: 'this is nested too deeply' },
  TAB_AS_INDENT: { code: 'yaml/tab', message: 'a tab cannot indent', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'yaml/tag',
    message: 'tags of your own are not supported',
    hint: 'leave the `!...` out, or put a text that begins with `!` in quotes',
  },
};

/** Says what is wrong where the YAML parser found a problem. */
export const tellYamlError = (code: ErrorCode): Told =>
  told[code] ?? { code: 'yaml/syntax', message: 'this is not valid YAML' };
