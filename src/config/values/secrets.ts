/**
 * Reads `secrets:`.
 *
 *   family   a declared secret with several keys: `${secret.db[eu]}` and `${secret.db[us]}` are secrets of the family `db`
 */
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { DeclaredSecretNames } from '../expressions/scope.ts';
import { ambiguousEnv, originText, secretEnv } from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import {
  type ExpressionNode,
  type MapNode,
  mapChildren,
  mapNode,
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

/** Reads the sections `secrets:`. The secrets of a family are added to `sources` when an expression first uses them. */
export const readSecrets = (sections: Node[], options: SourceOptions): Secrets =>
  new Secrets(sections, options);

/** The declared secrets, including those with an invalid declaration, so that their uses are not reported as well. */
class Secrets implements DeclaredSecretNames {
  readonly diagnostics: Diagnostic[] = [];
  /** The sources by the names under which resources use them. The secret of a family has the name `db[eu]`. */
  readonly sources = new Map<string, SecretSource>();
  readonly declared = new Map<string, { key: ScalarNode; value: Node; isWrong: boolean }>();
  /** The secrets with a default source, by their environment variable. */
  readonly #keyByDefaultEnv = new Map<string, ScalarNode>();
  /** For each family, the key of each origin, to find two keys with one origin. */
  readonly #keysByOrigin = new Map<string, Map<string, string>>();
  readonly #options: SourceOptions;

  /** Reads all declarations. Masks a section that is no map, because it may contain a secret. */
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

  /** Returns the section `secrets:` for `trueup render`: expressions are replaced by their values, except `${key}`. */
  rendered(): MapNode {
    const expand = expander(this.#options.scope, []);
    const expandAll = (node: Node): Node => {
      if (node.type === 'list' || node.type === 'map') return mapChildren(node, expandAll);
      return node.type === 'scalar' && hasKeyExpression(node)
        ? keepKeyExpressions(node, expand)
        : expand(node);
    };
    const entries = [...this.declared.values()].map(({ key, value }) => ({ key, value: expandAll(value) }));
    return mapNode(entries, nowhere);
  }

  /** Parses the source of a secret, for one key if it has several. */
  #sourceOf(name: ScalarNode, value: Node, key: string | undefined): ParsedSource | Diagnostic | string {
    return parseSecretSource({ name, value, key }, this.#options, this.diagnostics);
  }

  /**
   * Records one declaration and its source. Reports duplicates, invalid sources, and two secrets that the same environment variable would
   * set. Masks an invalid source, because it may contain the secret itself.
   */
  #declare(key: ScalarNode, value: Node): void {
    const firstDeclaration = this.declared.get(key.text);
    if (firstDeclaration)
      return void this.diagnostics.push(duplicateDeclaration('secret', key, firstDeclaration.key));
    const defaultEnv = secretEnv(key.text);
    const usesDefault = isDefaultSource(value);
    const otherKey = usesDefault ? this.#keyByDefaultEnv.get(defaultEnv) : undefined;
    if (usesDefault) this.#keyByDefaultEnv.set(defaultEnv, otherKey ?? key);
    const isFamily = hasSeveralKeys(value);
    // A family has the same problems for each of its keys, so it is parsed here once with any key.
    const source = this.#sourceOf(key, value, isFamily ? 'key' : undefined);
    const isWrong = typeof source === 'string' || 'code' in source || otherKey !== undefined;
    this.declared.set(key.text, { key, value, isWrong });
    // An invalid declaration may contain the secret itself.
    if (typeof source === 'string' || 'code' in source) maskNode(value);
    if (typeof source === 'string')
      this.diagnostics.push(
        problem('secret/source', source, {
          at: key,
          hint: `${key.text}: {} is read from ${defaultEnv}`,
        }),
      );
    else if ('code' in source) this.diagnostics.push(source);
    else if (otherKey) this.diagnostics.push(ambiguousEnv(defaultEnv, key, otherKey));
    else if (!isFamily) this.sources.set(key.text, toSecretSource(key, source));
  }

  /**
   * Returns the problem with using a secret without a key, `${secret.db}`, although its source contains several; undefined if it needs no
   * key.
   */
  needsKey(name: string): Omit<Diagnostic, 'severity' | 'at'> | undefined {
    const declared = this.declared.get(name)!;
    if (declared.isWrong || !hasSeveralKeys(declared.value)) return undefined;
    return {
      code: 'secret/family',
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`,
    };
  }

  /**
   * Returns the name of one secret of a family and adds its source, or returns the problem with the key. Two keys with one source are a
   * problem, because both secrets would silently have the same value. The name must be declared.
   */
  member(name: string, key: string): string | Omit<Diagnostic, 'severity' | 'at'> {
    const declared = this.declared.get(name)!;
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
    const keyByOrigin = this.#keysByOrigin.get(name) ?? new Map<string, string>();
    this.#keysByOrigin.set(name, keyByOrigin);
    const otherKey = keyByOrigin.get(origin);
    if (otherKey !== undefined)
      return {
        code: 'secret/same-source',
        message: `the keys ${quoted(otherKey)} and ${quoted(key)} of the secret ${quoted(name)} resolve to the same source, ${originText(source.origin)}`,
        hint: 'otherwise both keys would silently get the same value',
      };
    keyByOrigin.set(origin, key);
    const pick = source.format ? { pick: { format: source.format, key } } : {};
    this.sources.set(member, { ...toSecretSource(declared.key, source), ...pick });
    return member;
  }
}

/**
 * Returns a text with `${key}` left as it is, and all other expressions replaced by their values. `trueup render` shows the source of a
 * family like this, because the source has one value for each key.
 */
function keepKeyExpressions(node: ScalarNode, expand: Expand): Node {
  const parts = parseExpressions(node.text).map((parsed): ExpressionNode['parts'][number] => {
    if (typeof parsed === 'string') return parsed;
    if ('error' in parsed) return '';
    const { steps, filters = [] } = parsed;
    const stepNames = steps.map(({ name }) => name);
    if (stepNames[0] === 'key') {
      const keyExpression = [...stepNames, ...filters.map(({ name }) => name)].join(' | ');
      return { type: 'ref', at: node.at, steps: [{ name: keyExpression, start: 0 }] };
    }
    const text = `\${${stepNames.join('.')}}`;
    const value = expand({ ...node, text, value: text });
    return value.type === 'scalar' ? value.text : '';
  });
  return { type: 'expression', at: node.at, parts };
}

/** Returns a parsed source with the place of its declaration, so that it can be read later. `key`: the name in the declaration. */
const toSecretSource = ({ at }: ScalarNode, { origin }: ParsedSource): SecretSource => ({
  at: positionOf(at),
  folder: at.source.folder ?? '.',
  ...origin,
});
