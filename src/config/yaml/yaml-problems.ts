/*
 * The errors of the YAML parser in our own words. Its own messages may quote the text, and the text may be a secret.
 */
import type { ErrorCode } from 'yaml';

/** A complaint about YAML text, without its place. */
interface YamlProblem {
  code: string;
  message: string;
  hint?: string;
}

const yamlProblems: Partial<Record<ErrorCode, YamlProblem>> = {
  BAD_ALIAS: { code: 'yaml/alias', message: 'this alias cannot be understood' },
  BAD_DQ_ESCAPE: {
    code: 'yaml/syntax',
    message: 'this is not a valid escape sequence in double quotes',
    hint: 'write `\\\\`, or use single quotes',
  },
  BAD_INDENT: {
    code: 'yaml/syntax',
    message: 'the indentation does not match the surrounding lines',
    hint: 'align siblings in the same column; indent bracketed content further than its key',
  },
  BAD_SCALAR_START: {
    code: 'yaml/syntax',
    message: 'text cannot start with this character',
    hint: 'put it in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'there is a second `: ` on this line',
    hint: 'quote text that contains `: `',
  },
  DUPLICATE_KEY: { code: 'yaml/duplicate-key', message: 'duplicate key' },
  KEY_OVER_1024_CHARS: { code: 'yaml/syntax', message: 'this key is too long' },
  MISSING_CHAR: {
    code: 'yaml/syntax',
    message: 'something is missing here: a `:` after a key, a comma between values or a space',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'yaml/syntax',
    message: 'a key must be on one line, followed by `:`',
  },
  RESOURCE_EXHAUSTION: { code: 'yaml/depth', message: 'this is nested too deeply' },
  TAB_AS_INDENT: { code: 'yaml/tab', message: 'tabs cannot be used for indentation', hint: 'use spaces' },
  TAG_RESOLVE_FAILED: {
    code: 'yaml/tag',
    message: 'custom tags are not supported',
    hint: 'remove the `!...`, or quote text that starts with `!`',
  },
};

/** Translates an error code of the YAML parser, for a diagnostic that is safe to print. */
export const describeYamlError = (code: ErrorCode): YamlProblem =>
  yamlProblems[code] ?? { code: 'yaml/syntax', message: 'this is not valid YAML' };
