import { readJson } from '../../model/read-json.ts';
import { Sealed } from '../../model/sealed.ts';
import type { TextProblem } from '../../model/text-problem.ts';
import { isPlainObject } from '../../model/value.ts';
import type { Origin } from '../sources/verdict.ts';
import { parseDotenv } from './parse-dotenv.ts';
import type { Pick } from './secret-source.ts';

/** Why a text has no secret under a key, without any of the text. */
interface PickFailure {
  code: string;
  message: string;
  hint: string;
}

/** Returns the secret under one key of a text with several. No message says what else is in the text. */
export function pickSecret(whole: Sealed, { format, key }: Pick, origin: Origin): Sealed | PickFailure {
  const members = membersIn(whole, format, origin);
  if ('code' in members) return members;
  const value = members.get(key);
  const code = 'secret/key';
  if (value === undefined) return { code, message: `its source has no key ${key}`, hint: `add ${key} to it` };
  if (typeof value === 'string' || typeof value === 'boolean') return new Sealed(String(value));
  const what = value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object';
  return {
    code,
    message: `its source has ${what} under the key ${key}`,
    hint: 'each key must have a text; write "" for an empty one',
  };
}

type Members = ReadonlyMap<string, unknown>;

/** The members of each text that several secrets come from, so that it is parsed once. */
const parsed = {
  dotenv: new WeakMap<Sealed, Members | PickFailure>(),
  json: new WeakMap<Sealed, Members | PickFailure>(),
};

function membersIn(whole: Sealed, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const members = parsed[format].get(whole) ?? parseMembers(whole.reveal(), format, origin);
  parsed[format].set(whole, members);
  return members;
}

/** Parses a text with several secrets. Numbers keep their digits, since each value is sent as text. */
function parseMembers(text: string, format: 'dotenv' | 'json', origin: Origin): Members | PickFailure {
  const code = 'secret/syntax';
  if (format === 'dotenv') {
    const { values, problems } = parseDotenv(text);
    return problems.length > 0 ? { code, ...unreadable(problems, origin) } : values;
  }
  const { value, problems } = readJson(text, (digits) => digits);
  if (problems.length > 0) return { code, ...unreadable(problems, origin) };
  if (isPlainObject(value)) return new Map(Object.entries(value));
  return { code, message: 'its source is not a JSON object', hint: 'write {"KEY": "value"}' };
}

const maxProblems = 10;

/** All mistakes of a text with their places, and the hint for the first. */
function unreadable(problems: readonly TextProblem[], origin: Origin): { message: string; hint: string } {
  const places = problems.map(({ line, column, message }) =>
    'file' in origin
      ? `${origin.file}:${line}:${column}: ${message}`
      : `line ${line}, column ${column} of ${'env' in origin ? origin.env : 'what its command printed'}: ${message}`,
  );
  const shown = places.slice(0, maxProblems);
  const more = places.length - shown.length;
  return {
    message: [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    hint: problems[0]!.hint,
  };
}
