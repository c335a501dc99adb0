/*
 * The headers, body and secrets of a request, from the words of a command line: `trueup api --field a=1`, `trueup run --secret-input`.
 */
import { createReadStream, statSync } from 'node:fs';
import type { Configuration } from '../config/configuration.ts';
import { readSecretValues, type SecretsContext } from '../config/read-secret-values.ts';
import { type Host, resolvePath } from '../host.ts';
import { problem, raise, raiseErrors } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import { parseJsonOrText } from '../model/read-json.ts';
import type { ApiBody, ApiCall } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';

/** The options of `trueup api` that decide what a call sends. */
export interface RequestOptions {
  /** Headers as `NAME:VALUE`. */
  header?: string[];
  /** Members of the body as `NAME=VALUE`. */
  field?: string[];
  /** Members of the body as `NAME=SECRET`, with the name of a secret of the configuration. */
  secretField?: string[];
  /** The file to send as the body; `-` for standard input. */
  input?: string;
}

/** Splits words such as `limit=10` at their first `=` into names and values. */
export const splitPairs = (words: string[] = []): [name: string, value: string][] =>
  words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);

/**
 * Reads the secrets for words of `--secret-field` and `--secret-input` such as `password=DB_PASSWORD`: the
 * member of the request, and the name of a secret in the configuration. Returns the values by member, and
 * masks them in all output. Throws `Problems` for a secret that the configuration does not have, or that
 * cannot be read here.
 */
export async function readNamedSecrets(
  words: string[] | undefined,
  configuration: Configuration,
  context: SecretsContext,
  masking: Masking,
): Promise<Map<string, Sealed>> {
  const { secrets } = configuration;
  const nameByMember = new Map(splitPairs(words));
  const usedSecrets = new Set(nameByMember.values());
  const hint =
    secrets.size > 0 ? `it has ${[...secrets.keys()].join(', ')}` : 'add it under `secrets:` in trueup.yaml';
  const problems = [...usedSecrets]
    .filter((name) => !secrets.has(name))
    .map((name) =>
      problem('config/undeclared', `the configuration has no secret named ${JSON.stringify(name)}`, { hint }),
    );
  raiseErrors(problems);
  if (usedSecrets.size === 0) return new Map();
  const { values, diagnostics } = await readSecretValues({ ...configuration, usedSecrets }, context);
  // The placeholders of the twin only cause warnings.
  raiseErrors(diagnostics);
  for (const name of usedSecrets) masking.addSecret(values.get(name)!);
  return new Map([...nameByMember].map(([member, name]) => [member, values.get(name)!]));
}

/**
 * The headers and the body of a call. `open` returns the body for an attempt, or undefined if it cannot be read again. It is missing for a
 * call without a body.
 */
type CallInput = Pick<ApiCall, 'headers' | 'open' | 'secrets'>;

/**
 * Builds the headers and the body of a `trueup api` call: standard input, a file, or JSON from fields and secrets. Throws `Problems` if
 * the file does not exist, so that nothing is sent then.
 */
export function buildCallInput(
  { field = [], header: headerWords = [], input }: RequestOptions,
  secrets: ReadonlyMap<string, Sealed>,
  host: Host,
): CallInput {
  const headers = { accept: '*/*', ...parseHeaders(headerWords) };
  // A header of the user replaces the default.
  const jsonHeaders = { 'content-type': 'application/json', ...headers };
  if (input === '-') return { headers: jsonHeaders, open: openOnce(host.stdin) };
  if (input !== undefined) {
    const isJson = /\.json$/i.test(input);
    const fileHeaders = { 'content-type': 'application/octet-stream', ...headers };
    return buildFileInput(input, isJson ? jsonHeaders : fileHeaders, host);
  }
  if (field.length === 0 && secrets.size === 0) return { headers };
  const body = JSON.stringify(composeBody(field, secrets));
  return { headers: jsonHeaders, open: () => body, secrets: [...secrets.values()] };
}

/** Parses the words of `--header`, such as `X-Name: value`, into headers. Names are in lower case, so that they replace default headers. */
const parseHeaders = (words: string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => {
      const colon = word.indexOf(':');
      return [word.slice(0, colon).toLowerCase(), word.slice(colon + 1).trim()];
    }),
  );

/** Returns a function which returns a stream at its first call, and nothing later, because standard input cannot be read twice. */
function openOnce(stream: ApiBody): () => ApiBody | undefined {
  let isOpened = false;
  return () => {
    if (isOpened) return undefined;
    isOpened = true;
    return stream;
  };
}

/** Builds the input of a call that sends a file (`trueup api --input FILE`). Throws `Problems` if there is no such file. */
function buildFileInput(name: string, headers: Record<string, string>, host: Host): CallInput {
  const path = resolvePath(host, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile())
    raise('file/missing', `--input: there is no file ${name}`, {
      hint: 'name a file, or `-` for standard input',
    });
  return {
    headers: { ...headers, 'content-length': String(stats.size) },
    open: (): ApiBody => createReadStream(path),
  };
}

type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };

/**
 * Composes the JSON body of a request from the `name=value` words of `trueup api --field`. A value that is JSON is sent as JSON (`3`,
 * `true`, `["a"]`, `"3"`), any other as text; dots lead into objects (`delivery.type=http`). Throws `Problems` if two words set the same
 * member, or if a number would lose digits.
 * @param secrets values that are sent as text, by their names
 */
export function composeBody(
  words: readonly string[],
  secrets: ReadonlyMap<string, Sealed> = new Map(),
): JsonValue {
  const body: { [name: string]: JsonValue } = {};
  const problems = [
    ...words.flatMap((word) => {
      const index = word.indexOf('=');
      const { value, loss } = parseJsonOrText(word.slice(index + 1));
      return loss === undefined
        ? setMember(body, word.slice(0, index), value as JsonValue)
        : [lossProblem(word.slice(0, index), loss)];
    }),
    ...[...secrets].flatMap(([path, secret]) => setMember(body, path, secret.reveal())),
  ];
  raiseErrors(problems);
  return body;
}

/** Returns the problem with a number of `trueup api --field` that would be rounded as a JavaScript number. */
const lossProblem = (path: string, loss: string) =>
  problem('api/field', `--field ${path}: ${loss}`, {
    hint: `to send it as text, write it as JSON text: --field '${path}="..."'`,
  });

/**
 * Sets a member of the body at a dotted path, such as `delivery.type`. Returns the problem if it, or a value on the way, is set already,
 * since two words of a call would contradict each other.
 */
function setMember(body: { [name: string]: JsonValue }, path: string, value: JsonValue) {
  const names = path.split('.');
  const last = names.pop()!;
  let parent = body;
  for (const name of names) {
    if (!Object.hasOwn(parent, name)) Object.defineProperty(parent, name, plainMember({}));
    const next = parent[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      return [problem('api/field', `--field ${path}: \`${name}\` already has a value`)];
    parent = next;
  }
  if (Object.hasOwn(parent, last)) return [problem('api/field', `--field ${path} is set twice`)];
  Object.defineProperty(parent, last, plainMember(value));
  return [];
}

/** Returns the property descriptor of an ordinary member. Defining it works for every name, also for `__proto__`. */
const plainMember = (value: JsonValue) => ({ value, enumerable: true, writable: true, configurable: true });
