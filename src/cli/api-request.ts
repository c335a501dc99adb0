import { createReadStream, statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { composeBody } from '../api/compose-body.ts';
import { type Host, pathOn } from '../app/host.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ResolvedSecrets } from '../config/resolve-secrets.ts';
import { hasErrors, Problems, problem } from '../model/diagnostic.ts';
import type { ApiBody, ApiCall } from '../model/request.ts';
import type { Sealed } from '../model/sealed.ts';
import { collect } from './options.ts';

/** The options that say what is sent. */
export interface RequestOptions {
  header?: string[];
  field?: string[];
  secretField?: string[];
  input?: string;
}

/** Reads a word of an option that has a name and a value. */
export const collectPair = (value: string, all?: string[]) => {
  if (value.indexOf('=') < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return collect(value, all);
};

/** Those that say who asks, and how long the body is, are nobody else's. */
const ownHeaders = /^(authorization|host|connection|content-length|transfer-encoding|user-agent|proxy-.*)$/i;

/** Reads a header of an option. */
export function collectHeader(value: string, all?: string[]): string[] {
  const [, name = ''] = /^([\w-]+):/.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME:VALUE.');
  if (ownHeaders.test(name)) throw new InvalidArgumentError(`${name} is set by trueup itself.`);
  if (/[^\t\x20-\x7e]/.test(value)) throw new InvalidArgumentError('A header must be printable ASCII.');
  return collect(value, all);
}

/** Words that `pair` took, as names and values. */
export const splitPairs = (words: string[] = []): [string, string][] =>
  words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);

/** The secrets that the options send, by the member that they become. Throws `Problems` for one that is not there. */
export async function resolveNamedSecrets(
  configuration: Configuration,
  { secretField = [] }: RequestOptions,
  resolve: (declared: Configuration) => ResolvedSecrets | Promise<ResolvedSecrets>,
): Promise<Map<string, Sealed>> {
  const asked = Object.fromEntries(splitPairs(secretField));
  const usedSecrets = new Set(Object.values(asked));
  const unknown = [...usedSecrets].filter((name) => !configuration.secrets.has(name));
  if (unknown.length > 0)
    throw new Problems(
      unknown.map((name) =>
        problem('api/secret', `the configuration has no secret named ${JSON.stringify(name)}`, {
          hint:
            configuration.secrets.size > 0
              ? `it has ${[...configuration.secrets.keys()].join(', ')}`
              : 'add it under `secrets:` in trueup.yaml',
        }),
      ),
    );
  if (usedSecrets.size === 0) return new Map();
  const { values, diagnostics } = await resolve({ ...configuration, usedSecrets });
  // A stand-in is only warned of.
  if (hasErrors(diagnostics)) throw new Problems(diagnostics);
  return new Map(Object.entries(asked).map(([member, name]) => [member, values.get(name)!]));
}

/** The headers and the body of a call. A file is opened anew for each attempt; standard input is there once. */
export function buildCallInput(
  options: RequestOptions,
  secrets: ReadonlyMap<string, Sealed>,
  host: Host,
): Pick<ApiCall, 'headers' | 'open' | 'secrets'> {
  const { field = [], header: words = [], input } = options;
  const given = Object.fromEntries(
    words.map((word) => [
      word.slice(0, word.indexOf(':')).toLowerCase(),
      word.slice(word.indexOf(':') + 1).trim(),
    ]),
  );
  const headers = { accept: '*/*', ...given };
  const typed = { 'content-type': 'application/json', ...headers };
  if (input === '-') {
    let isRead = false;
    const open = (): ApiBody | undefined => {
      if (isRead) return undefined;
      isRead = true;
      return host.stdin;
    };
    return { headers: typed, open };
  }
  if (input !== undefined) {
    const file = pathOn(host, input);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile())
      throw new Problems('api/input', `--input: there is no file ${input}`, {
        hint: 'name a file, or `-` for standard input',
      });
    const type = /\.json$/i.test(input) ? {} : { 'content-type': 'application/octet-stream', ...headers };
    return {
      headers: { ...typed, ...type, 'content-length': String(found.size) },
      open: (): ApiBody => createReadStream(file),
    };
  }
  if (field.length === 0 && secrets.size === 0) return { headers };
  const body = JSON.stringify(composeBody(field, secrets));
  return { headers: typed, open: () => body, secrets: [...secrets.values()] };
}
