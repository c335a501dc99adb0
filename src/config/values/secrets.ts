import path from 'node:path';
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { Scope, SecretNames } from '../expressions/scope.ts';
import { isOutOfReach, refusedEnv, sameEnv, shownSecret } from '../sources/env-verdict.ts';
import { type Asked, type Origin, originText, secretEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  type ExpressionNode,
  entryOf,
  type MapNode,
  maskNode,
  type Node,
  nowhere,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { declaredTwice } from './variables.ts';

/** The origin of a secret, and the file that names it. Nothing is read before `resolveSecrets`. */
export type SecretSource = {
  at: Position;
  folder: string;
  /** The origin holds several secrets: this one is under a key. */
  pick?: Pick;
} & Origin;

/** A secret in a text with several: `NAME=value` lines, or a JSON object. */
interface Pick {
  format: 'dotenv' | 'json';
  key: string;
}

type Found = { origin: Origin; format?: Pick['format'] };

const ways = ['env', 'file', 'command', 'dotenv', 'json', 'sops'];
const keyed = ['dotenv', 'json', 'sops'];

interface Options {
  /** Expressions in the names of variables and files. */
  scope: Scope;
  /** Commands start here. */
  cwd: string;
}

/** Reads the sections `secrets:`. Members of families, `${secret.db[at]}`, are found as they are asked for. */
export const readSecrets = (sections: Node[], options: Options): Secrets => new Secrets(sections, options);

/** The declared secrets, those that are declared wrongly included. */
class Secrets implements SecretNames {
  readonly diagnostics: Diagnostic[] = [];
  /** By the names under which resources use them; a member of a family is `db[at]`. */
  readonly sources = new Map<string, SecretSource>();
  readonly #declared = new Map<string, { key: ScalarNode; value: Node; isWrong: boolean }>();
  readonly #own = new Map<string, ScalarNode>();
  /** For each family the key that each origin belongs to. */
  readonly #origins = new Map<string, Map<string, string>>();
  readonly #options: Options;

  constructor(sections: Node[], options: Options) {
    this.#options = options;
    for (const section of sections)
      if (section.type === 'map') for (const { key, value } of section.entries) this.#declare(key, value);
      else {
        maskNode(section);
        this.diagnostics.push(
          problem('config/type', '`secrets` must be a map of names', {
            at: positionOf(section.at),
            hint: 'secrets: { database: {} }',
          }),
        );
      }
  }

  has(name: string): boolean {
    return this.#declared.has(name);
  }

  names(): string[] {
    return [...this.#declared.keys()];
  }

  /** The section with what is known now put in, but for the keys of families. */
  rendered(): MapNode {
    const expand = expander(this.#options.scope, []);
    const put = (node: Node): Node => {
      if (node.type === 'list') return { ...node, items: node.items.map(put) };
      if (node.type === 'map')
        return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: put(value) })) };
      return node.type === 'scalar' && namesKey(node) ? withKey(node, expand) : expand(node);
    };
    const entries = [...this.#declared.values()].map(({ key, value }) => ({ key, value: put(value) }));
    return { type: 'map', at: nowhere, entries };
  }

  #declare(key: ScalarNode, value: Node): void {
    const first = this.#declared.get(key.text);
    if (first) return void this.diagnostics.push(declaredTwice('secret', key, first.key));
    const isOwn = value.type === 'map' && value.entries.length === 0;
    const twin = isOwn ? this.#own.get(secretEnv(key.text)) : undefined;
    if (isOwn) this.#own.set(secretEnv(key.text), twin ?? key);
    const isFamily = isFamilyOf(value);
    // What is wrong with the source of a family is the same for each member: it is read once with a key that stands for all.
    const found = this.#sourceOf(key, value, isFamily ? 'key' : undefined);
    const isWrong = typeof found === 'string' || 'code' in found || twin !== undefined;
    this.#declared.set(key.text, { key, value, isWrong });
    // Whoever gets this section wrong may have put the secret itself there.
    if (typeof found === 'string' || 'code' in found) maskNode(value);
    if (typeof found === 'string')
      this.diagnostics.push(
        problem('secret/source', found, {
          at: positionOf(key.at),
          hint: `${key.text}: {} is read from ${secretEnv(key.text)}`,
        }),
      );
    else if ('code' in found) this.diagnostics.push(found);
    else if (twin) this.diagnostics.push(sameEnv(secretEnv(key.text), key, twin));
    else if (!isFamily) this.sources.set(key.text, placed(key, found));
  }

  /** The problem with using a secret without a key; undefined where there is none. */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined {
    const declared = this.#declared.get(name)!;
    if (declared.isWrong || !isFamilyOf(declared.value)) return undefined;
    return {
      code: 'secret/family',
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`,
    };
  }

  member(name: string, key: string): string | Omit<Diagnostic, 'severity' | 'at'> {
    const declared = this.#declared.get(name)!;
    const member = `${name}[${key}]`;
    if (declared.isWrong || this.sources.has(member)) return member;
    if (!/^[A-Za-z0-9._-]+$/.test(key))
      return {
        code: 'secret/key',
        message: `${quoted(key)} is not a valid secret key`,
        hint: 'use letters, digits, `.`, `_` and `-`',
      };
    if (!isFamilyOf(declared.value) && !isOwnOf(declared.value))
      return {
        code: 'secret/key',
        message: `the secret ${quoted(name)} has no keys`,
        hint: 'name them in the source with `${key}`: `env: "DB_${key | upper}"`',
      };
    const found = this.#sourceOf(declared.key, declared.value, key);
    if (typeof found === 'string' || 'code' in found) return member;
    const origin = `${originText(found.origin)} ${found.format ? key : ''}`;
    const origins = this.#origins.get(name) ?? new Map<string, string>();
    this.#origins.set(name, origins);
    const other = origins.get(origin);
    if (other !== undefined)
      return {
        code: 'secret/same-source',
        message: `the keys ${quoted(other)} and ${quoted(key)} of the secret ${quoted(name)} resolve to the same source, ${originText(found.origin)}`,
        hint: 'otherwise both keys would silently get the same value',
      };
    origins.set(origin, key);
    const pick = found.format ? { pick: { format: found.format, key } } : {};
    this.sources.set(member, { ...placed(declared.key, found), ...pick });
    return member;
  }

  #formatted(value: MapNode, format: Node, expand: Expand): Found | Diagnostic | string {
    const text = format.type === 'scalar' ? format.text : '';
    if (text !== 'json' && text !== 'dotenv')
      return problem('secret/source', 'this `format` does not support several secrets', {
        at: positionOf(format.at),
        hint: 'use `json` or `dotenv`',
      });
    const [source, another] = value.entries.filter(({ key }) => key.text !== 'format');
    if (!source || another || !['env', 'file', 'command'].includes(source.key.text))
      return 'use `format` with one of `env`, `file` and `command`';
    const origin = originOf(source.key.text, source.value, expand);
    return typeof origin === 'string' || 'code' in origin ? origin : { origin, format: text };
  }

  #sourceOf(name: ScalarNode, value: Node, key: string | undefined): Found | Diagnostic | string {
    if (value.type !== 'map')
      return 'a secret must be `{}`, or have one source: `{ env }`, `{ file }`, `{ command }`, `{ dotenv }`, `{ json }` or `{ sops }`';
    const { scope, cwd } = this.#options;
    const { at } = name;
    const expand = expander(
      key === undefined ? scope : { ...scope, key: { type: 'scalar', at, text: key, value: key } },
      this.diagnostics,
    );
    const unknown = value.entries.find(
      (entry) => !ways.includes(entry.key.text) && entry.key.text !== 'format',
    );
    if (unknown)
      return problem('config/unknown-key', `a secret has no ${quoted(unknown.key.text)}`, {
        at: positionOf(unknown.key.at),
        hint: hintFor(unknown.key.text, [...ways, 'format']),
      });
    const format = formatOf(value);
    if (format) return this.#formatted(value, format, expand);
    const [entry, another] = value.entries;
    if (!entry) return { origin: { env: secretEnv(key === undefined ? name.text : `${name.text}_${key}`) } };
    if (another) return 'a secret can have only one source';
    const way = entry.key.text;
    if (!keyed.includes(way)) {
      const origin = originOf(way, entry.value, expand);
      return typeof origin === 'string' || 'code' in origin ? origin : { origin };
    }
    if (way === 'sops') {
      const file = textOf(expand(entry.value));
      if (file === undefined) return '`sops` must be the path of a file';
      // Decrypting may ask whatever the file names for its key: it is a command like any other, and has to be allowed.
      const place = path.relative(cwd, path.resolve(name.at.source.folder ?? cwd, file)) || file;
      return {
        origin: { command: ['sops', '--decrypt', '--output-type', 'json', place] },
        format: 'json',
      };
    }
    const inner = entry.value.type === 'map' ? entry.value : undefined;
    const [source, more] = inner?.entries ?? [];
    if (inner && !source) return { origin: { env: secretEnv(name.text) }, format: way as Pick['format'] };
    if (source && (more || !['env', 'file', 'command'].includes(source.key.text)))
      return `\`${way}\` must be the path of a file, or \`{}\`, \`{ env }\`, \`{ file }\` or \`{ command }\``;
    const origin = source
      ? originOf(source.key.text, source.value, expand)
      : originOf('file', entry.value, expand);
    if (typeof origin === 'string' || 'code' in origin) return origin;
    return { origin, format: way as Pick['format'] };
  }
}

/** The source under `format`: `{ command: [...], format: json }` is `{ json: { command: [...] } }`. */
const formatOf = (value: Node): Node | undefined =>
  value.type === 'map' ? entryOf(value, 'format')?.value : undefined;

/** True if a secret has several keys: its source holds several, or says where each is. */
function isFamilyOf(value: Node): boolean {
  if (formatOf(value)) return true;
  const [entry] = value.type === 'map' ? value.entries : [];
  return entry !== undefined && (keyed.includes(entry.key.text) || namesKey(entry.value));
}

const isOwnOf = (value: Node): boolean => value.type === 'map' && value.entries.length === 0;

const namesKey = (node: Node): boolean =>
  node.type === 'list'
    ? node.items.some(namesKey)
    : node.type === 'scalar' &&
      parseExpressions(node.text).some(
        (part) => typeof part === 'object' && 'steps' in part && part.steps[0]!.name === 'key',
      );

/** Text that names the key of a family, with everything else put in. */
function withKey(node: ScalarNode, expand: Expand): Node {
  const parts = parseExpressions(node.text).map((part): ExpressionNode['parts'][number] => {
    if (typeof part === 'string' || 'error' in part) return typeof part === 'string' ? part : '';
    const written = [...part.steps, ...(part.filters ?? [])].map(({ name }) => name);
    if (written[0] === 'key')
      return { type: 'ref', at: node.at, steps: [{ name: written.join(' | '), start: 0 }] };
    const text = `\${${part.steps.map(({ name }) => name).join('.')}}`;
    const value = expand({ ...node, text, value: text });
    return value.type === 'scalar' ? value.text : '';
  });
  return { type: 'expression', at: node.at, parts };
}

const placed = ({ at }: ScalarNode, { origin }: Found): SecretSource => ({
  at: positionOf(at),
  folder: at.source.folder ?? '.',
  ...origin,
});

function originOf(way: string, value: Node, expand: Expand): Origin | Diagnostic | string {
  const texts = (value.type === 'list' ? value.items : [value]).map((item) => textOf(expand(item)));
  if (texts.length === 0 || !texts.every((text) => text !== undefined)) return `\`${way}\` must be text`;
  if (way === 'command')
    return value.type === 'list'
      ? { command: texts }
      : problem('secret/command', '`command` must be a list: the program and its arguments', {
          at: positionOf(value.at),
          hint: 'command: [op, read, "op://vault/item"]; no shell is involved',
        });
  if (value.type === 'list') return `\`${way}\` must be one name`;
  if (way === 'file') return { file: texts[0]! };
  const why = isOutOfReach(texts[0]!, 'secret');
  return why === undefined ? { env: texts[0]! } : refusedEnv(value, why);
}

const textOf = (node: Node): string | undefined =>
  node.type === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined;

/** The environment variables that the sections read as they are written, in capitals: no variable may show them. */
export const secretEnvs = (sections: Node[]): Set<string> =>
  new Set(
    sections
      .flatMap((section) => (section.type === 'map' ? section.entries : []))
      .flatMap(({ value }) => {
        const json = value.type === 'map' ? entryOf(value, 'json')?.value : undefined;
        return [value, json].flatMap((one) => {
          const env = one?.type === 'map' ? entryOf(one as MapNode, 'env')?.value : undefined;
          return env?.type === 'scalar' ? [env.text.trim().toUpperCase()] : [];
        });
      }),
  );

/** Reports secrets that read what a variable shows, which is known only once variables have their values. */
export function shownSecrets(variables: Asked[], secrets: Map<string, SecretSource>): Diagnostic[] {
  const envs = new Set(
    [...secrets.values()].flatMap((one) => ('env' in one ? [one.env.trim().toUpperCase()] : [])),
  );
  return variables.flatMap(({ origin, at }) =>
    'env' in origin && envs.has(origin.env.trim().toUpperCase()) ? [shownSecret(origin.env, at)] : [],
  );
}
