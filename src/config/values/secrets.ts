import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { SecretNames } from '../expressions/scope.ts';
import { ambiguousEnv } from '../sources/env-verdict.ts';
import { originText, secretEnv } from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import {
  type ExpressionNode,
  type MapNode,
  maskNode,
  type Node,
  nowhere,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import {
  hasKeyExpression,
  hasSeveralKeys,
  isDefaultSource,
  type ParsedSource,
  parseSecretSource,
  type SecretSource,
  type SourceOptions,
} from './secret-source.ts';
import { duplicateDeclaration } from './variables.ts';

/** Reads the sections `secrets:`. The secrets of a family, `${secret.db[at]}`, are added when they are first used. */
export const readSecrets = (sections: Node[], options: SourceOptions): Secrets =>
  new Secrets(sections, options);

/** The declared secrets, including those with an invalid declaration. */
class Secrets implements SecretNames {
  readonly diagnostics: Diagnostic[] = [];
  /** The sources by the names under which resources use them; a secret of a family is `db[at]`. */
  readonly sources = new Map<string, SecretSource>();
  readonly #declared = new Map<string, { key: ScalarNode; value: Node; isWrong: boolean }>();
  /** The names of all declared secrets, once they are asked for. */
  #names: readonly string[] | undefined;
  readonly #own = new Map<string, ScalarNode>();
  /** For each family the key that each origin belongs to. */
  readonly #origins = new Map<string, Map<string, string>>();
  readonly #options: SourceOptions;

  constructor(sections: Node[], options: SourceOptions) {
    this.#options = options;
    for (const section of sections)
      if (section.type === 'map') for (const { key, value } of section.entries) this.#declare(key, value);
      else {
        maskNode(section);
        this.diagnostics.push(
          problem('config/type', '`secrets` must be a map of names', {
            at: section,
            hint: 'secrets: { database: {} }',
          }),
        );
      }
  }

  has(name: string): boolean {
    return this.#declared.has(name);
  }

  names(): readonly string[] {
    this.#names ??= [...this.#declared.keys()];
    return this.#names;
  }

  /** The section with what is known now put in, but for the keys of families. */
  rendered(): MapNode {
    const expand = expander(this.#options.scope, []);
    const put = (node: Node): Node => {
      if (node.type === 'list') return { ...node, items: node.items.map(put) };
      if (node.type === 'map')
        return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: put(value) })) };
      return node.type === 'scalar' && hasKeyExpression(node)
        ? keepKeyExpressions(node, expand)
        : expand(node);
    };
    const entries = [...this.#declared.values()].map(({ key, value }) => ({ key, value: put(value) }));
    return { type: 'map', at: nowhere, entries };
  }

  #sourceOf(name: ScalarNode, value: Node, key: string | undefined): ParsedSource | Diagnostic | string {
    return parseSecretSource({ name, value, key }, this.#options, this.diagnostics);
  }

  #declare(key: ScalarNode, value: Node): void {
    const first = this.#declared.get(key.text);
    if (first) return void this.diagnostics.push(duplicateDeclaration('secret', key, first.key));
    const isOwn = value.type === 'map' && value.entries.length === 0;
    const twin = isOwn ? this.#own.get(secretEnv(key.text)) : undefined;
    if (isOwn) this.#own.set(secretEnv(key.text), twin ?? key);
    const isFamily = hasSeveralKeys(value);
    // What is wrong with the source of a family is the same for each member: it is read once with a key that stands for all.
    const found = this.#sourceOf(key, value, isFamily ? 'key' : undefined);
    const isWrong = typeof found === 'string' || 'code' in found || twin !== undefined;
    this.#declared.set(key.text, { key, value, isWrong });
    // Whoever gets this section wrong may have put the secret itself there.
    if (typeof found === 'string' || 'code' in found) maskNode(value);
    if (typeof found === 'string')
      this.diagnostics.push(
        problem('secret/source', found, {
          at: key,
          hint: `${key.text}: {} is read from ${secretEnv(key.text)}`,
        }),
      );
    else if ('code' in found) this.diagnostics.push(found);
    else if (twin) this.diagnostics.push(ambiguousEnv(secretEnv(key.text), key, twin));
    else if (!isFamily) this.sources.set(key.text, toSecretSource(key, found));
  }

  /** Returns the problem with using a secret without a key; undefined if it needs none. */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined {
    const declared = this.#declared.get(name)!;
    if (declared.isWrong || !hasSeveralKeys(declared.value)) return undefined;
    return {
      code: 'secret/family',
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`,
    };
  }

  /**
   * Returns the name of one secret of a family and adds its source, or returns the problem with the key. Two keys with one source are a
   * problem, because both secrets would silently have the same value.
   */
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
    if (!hasSeveralKeys(declared.value) && !isDefaultSource(declared.value))
      return {
        code: 'secret/key',
        message: `the secret ${quoted(name)} has no keys`,
        hint: 'name them in the source with `${key}`: `env: "DB_${key | upper}"`',
      };
    const source = this.#sourceOf(declared.key, declared.value, key);
    if (typeof source === 'string' || 'code' in source) return member;
    const origin = `${originText(source.origin)} ${source.format ? key : ''}`;
    const origins = this.#origins.get(name) ?? new Map<string, string>();
    this.#origins.set(name, origins);
    const otherKey = origins.get(origin);
    if (otherKey !== undefined)
      return {
        code: 'secret/same-source',
        message: `the keys ${quoted(otherKey)} and ${quoted(key)} of the secret ${quoted(name)} resolve to the same source, ${originText(source.origin)}`,
        hint: 'otherwise both keys would silently get the same value',
      };
    origins.set(origin, key);
    const pick = source.format ? { pick: { format: source.format, key } } : {};
    this.sources.set(member, { ...toSecretSource(declared.key, source), ...pick });
    return member;
  }
}

/** Returns a text with `${key}` left as it is and all other expressions replaced by their values. Used to show the source of a family. */
function keepKeyExpressions(node: ScalarNode, expand: Expand): Node {
  const parts = parseExpressions(node.text).map((expression): ExpressionNode['parts'][number] => {
    if (typeof expression === 'string' || 'error' in expression)
      return typeof expression === 'string' ? expression : '';
    const names = [...expression.steps, ...(expression.filters ?? [])].map(({ name }) => name);
    if (names[0] === 'key')
      return { type: 'ref', at: node.at, steps: [{ name: names.join(' | '), start: 0 }] };
    const text = `\${${expression.steps.map(({ name }) => name).join('.')}}`;
    const value = expand({ ...node, text, value: text });
    return value.type === 'scalar' ? value.text : '';
  });
  return { type: 'expression', at: node.at, parts };
}

/** Returns a parsed source with the place of its declaration. */
const toSecretSource = ({ at }: ScalarNode, { origin }: ParsedSource): SecretSource => ({
  at: positionOf(at),
  folder: at.source.folder ?? '.',
  ...origin,
});
