/** Takes single secrets out of a text with several: `${secret.db[password]}`. No message contains a part of the text. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readJson, type TextProblem } from '../../model/read-json.ts';
import { Sealed } from '../../model/sealed.ts';
import { isPlainObject } from '../../model/value.ts';
import { type Origin, originText } from '../sources/verdict.ts';
import { parseDotenv } from './parse-dotenv.ts';
import type { SecretPick } from './secrets.ts';

/** Why a text has no secret under a key. */
interface PickFailure extends Pick<Diagnostic, 'related' | 'alike'> {
  code: string;
  message: string;
  hint: string;
}

/**
 * Returns the secret under one key of a text with several (JSON or `NAME=value` lines), or why there is none. Used for
 * `${secret.db[password]}`, after the text was read. `origin`: where the text comes from, for the message.
 */
export function pickSecret(
  sealed: Sealed,
  { format, key }: SecretPick,
  origin: Origin,
): Sealed | PickFailure {
  const members = readMembersOnce(sealed, format, origin);
  if ('code' in members) return members;
  const value = members.get(key);
  const code = 'secret/key';
  if (value === undefined) return { code, message: `its source has no key ${key}`, hint: `add ${key} to it` };
  if (typeof value === 'string' || typeof value === 'boolean') return new Sealed(String(value));
  const valueType = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  return {
    code,
    message: `its source has ${valueType} under the key ${key}`,
    hint: 'each key must have a text; write "" for an empty one',
  };
}

/** The values in a text, by key. */
type Members = ReadonlyMap<string, unknown>;

/** The members of each text that was parsed before, by format. */
const membersByText = {
  dotenv: new WeakMap<Sealed, Members | PickFailure>(),
  json: new WeakMap<Sealed, Members | PickFailure>(),
};

/**
 * Returns the secrets in the text of a source by their keys, for `${secret.db[password]}`. Only the first call parses it, because many
 * secrets may come from one text.
 */
function readMembersOnce(sealed: Sealed, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const members = membersByText[format].get(sealed) ?? parseMembers(sealed.reveal(), format, origin);
  membersByText[format].set(sealed, members);
  return members;
}

/**
 * Parses the text of a source with several secrets, JSON or `NAME=value` lines, for `${secret.db[password]}`. Returns why it cannot be
 * parsed. Numbers keep their digits as they are written, because each value is sent as text.
 */
function parseMembers(text: string, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const code = 'secret/syntax';
  if (format === 'dotenv') {
    const { values, problems } = parseDotenv(text);
    return problems.length > 0 ? { code, ...describeProblems(problems, origin) } : values;
  }
  const { value, problems } = readJson(text, (digits) => digits);
  if (problems.length > 0) return { code, ...describeProblems(problems, origin) };
  if (isPlainObject(value)) return new Map(Object.entries(value));
  const message = `${nameOfOrigin(origin)} is not a JSON object`;
  return { code, message, hint: 'write {"KEY": "value"}', alike: alikeOf(message) };
}

/**
 * Returns the failure for a text with mistakes. Its message is about the first mistake, and equal for all secrets of the text, so that they
 * become one diagnostic. The other mistakes are `related`.
 */
function describeProblems(problems: readonly TextProblem[], origin: Origin): Omit<PickFailure, 'code'> {
  const file = nameOfOrigin(origin);
  const [first, ...others] = problems as [TextProblem, ...TextProblem[]];
  const message = `${file}:${first.line}:${first.column}: ${first.message}`;
  return {
    message,
    hint: first.hint,
    related: others
      .slice(0, maxRelated)
      .map(({ message, line, column }) => ({ message, at: { file, line, column } })),
    alike: alikeOf(message),
  };
}

/** Returns the path of a file, or the description of another origin, for messages. */
const nameOfOrigin = (origin: Origin): string => ('file' in origin ? origin.file : originText(origin));

/** Returns the mark by which diagnostics with one cause become a single one: all secrets of a text fail together. */
const alikeOf = (message: string): NonNullable<Diagnostic['alike']> => ({
  cause: message,
  are: `secrets are not available, since ${message}`,
});

const maxRelated = 10;
