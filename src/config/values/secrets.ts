/**
 * Reads `secrets:`, and checks how expressions use the secrets. `secret-source.ts` parses the single declarations.
 *
 *   family   a declared secret with several keys: `${secret.db[eu]}` and `${secret.db[us]}` are secrets of the family `db`
 */
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { DeclaredSecretNames } from '../expressions/scope.ts';
import {
  ambiguousEnv,
  originText,
  type SourceRequest,
  secretEnv,
  secretShownByVariable,
} from '../sources/verdict.ts';
import { quoted } from '../suggest.ts';
import {
  type ExpressionNode,
  entriesOf,
  type MapNode,
  mapChildren,
  mapNode,
  maskNode,
  memberOf,
  type Node,
  nowhere,
  type ScalarNode,
} from '../yaml/nodes.ts';
import {
  hasKeyExpression,
  hasSeveralKeys,
  isDefaultSource,
  isFault,
  type ParsedSource,
  parseSecretSource,
  reported,
  type SecretSource,
  type SourceFault,
  type SourceOptions,
  toSecretSource,
} from './secret-source.ts';
import { duplicateDeclaration } from './variables.ts';

/**
 * Returns the environment variables that `secrets:` names as sources (`env`, also in `json` or `dotenv`), in upper case. No variable of the
 * configuration may read them, because plans show the values of variables. Needed before variables are read, so expressions (`${...}`) in a
 * name are not replaced, and `checkShownSecrets` checks such a name later.
 */
export const findSecretEnvNames = (sections: Node[]): Set<string> =>
  new Set(
    sections.flatMap(entriesOf).flatMap(({ value }) =>
      [value, memberOf(value, 'json'), memberOf(value, 'dotenv')].flatMap((node) => {
        const env = memberOf(node, 'env');
        return env?.type === 'scalar' ? env.text.trim().toUpperCase() : [];
      }),
    ),
  );

/**
 * Returns a problem for each variable that reads the environment variable of a secret, because plans show the
 * values of variables. Called after variables have values: the name of the environment variable may contain
 * one. `variables`: the requests of all variables to read an environment variable.
 */
export function checkShownSecrets(
  variables: SourceRequest[],
  secrets: Map<string, SecretSource>,
): Diagnostic[] {
  const envs = new Set(
    [...secrets.values()].flatMap((secret) => ('env' in secret ? [secret.env.trim().toUpperCase()] : [])),
  );
  return variables.flatMap(({ origin, at }) =>
    'env' in origin && envs.has(origin.env.trim().toUpperCase())
      ? [secretShownByVariable(origin.env, at)]
      : [],
  );
}

/** Reads the sections `secrets:`. The secrets of a family are added to `sources` when an expression first uses them. */
export const readSecrets = (sections: Node[], options: SourceOptions): Secrets =>
  new Secrets(sections, options);

/** The declared secrets, including those with an invalid declaration, so that their uses are not reported as well. */
class Secrets implements DeclaredSecretNames {
  readonly report = new Reporter();
  /** The sources by the names under which resources use them. The secret of a family has the name `db[eu]`. */
  readonly sources = new Map<string, SecretSource>();
  /** All declarations by name. `isWrong`: a problem with it was reported, so its uses are not reported as well. */
  readonly declared = new Map<string, { key: ScalarNode; value: Node; isWrong: boolean }>();
  /**
   * The secrets with a default source, by their environment variable. The text of each key is the name of the
   * secret, such as `db[eu]`.
   */
  readonly #keyByDefaultEnv = new Map<string, ScalarNode>();
  /** For each family, the key of each origin, to find two keys with one origin. */
  readonly #keysByOrigin = new Map<string, Map<string, string>>();
  readonly #options: SourceOptions;

  /**
   * Reads all declarations in the sections `secrets:` (each file may have one). A section that is no map is
   * reported and masked, because it may contain a secret and messages quote lines.
   */
  constructor(sections: Node[], options: SourceOptions) {
    this.#options = options;
    for (const section of sections)
      if (section.type === 'map') for (const { key, value } of section.entries) this.#declare(key, value);
      else {
        maskNode(section);
        this.report.error('config/type', '`secrets` must be a map of names', {
          at: section,
          hint: 'secrets: { database: {} }',
        });
      }
  }

  /**
   * Returns the section `secrets:` for `trueup render`, whose output must declare the same secrets again. It
   * contains their sources, not their values. Expressions are replaced by their values, except `${key}`: it
   * stands for the key that a use such as `${secret.db[user]}` requests.
   */
  rendered(): MapNode {
    // Problems with the expressions were reported when the declarations were read.
    const expand = expander(this.#options.scope, new Reporter());
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
  #sourceOf(name: ScalarNode, value: Node, key: string | undefined): ParsedSource | SourceFault {
    return parseSecretSource({ name, value, key }, this.#options, this.report);
  }

  /**
   * Records one declaration under `secrets:` and where the secret comes from. Reports duplicates, invalid
   * sources, and two secrets whose default is the same environment variable. A secret may have several keys
   * (`${secret.db[user]}`); then its source depends on the key and is only checked here. An invalid source is
   * masked, because it may contain the secret itself.
   */
  #declare(key: ScalarNode, value: Node): void {
    const firstDeclaration = this.declared.get(key.text);
    if (firstDeclaration)
      return void this.report.add(duplicateDeclaration('secret', key, firstDeclaration.key));
    const clash = isDefaultSource(value) ? this.#claimDefaultEnv(key) : undefined;
    const isFamily = hasSeveralKeys(value);
    // A family has the same problems for each of its keys, so it is parsed here once with any key.
    const source = this.#sourceOf(key, value, isFamily ? 'key' : undefined);
    const isWrong = isFault(source) || clash !== undefined;
    this.declared.set(key.text, { key, value, isWrong });
    // An invalid declaration may contain the secret itself.
    if (isFault(source)) maskNode(value);
    if (source === reported) return;
    if (typeof source === 'string')
      this.report.error('secret/source', source, {
        at: key,
        hint: `${key.text}: {} is read from ${secretEnv(key.text)}`,
      });
    else if ('code' in source) this.report.add(source);
    else if (clash) this.report.add(clash);
    else if (!isFamily) this.sources.set(key.text, toSecretSource(key, source));
  }

  /**
   * Returns the problem with an expression that uses a secret without a key, `${secret.db}`, although the
   * secret has several; undefined if it needs none. Without this check, the text with all of its secrets
   * would be sent to the platform as one value.
   */
  needsKey(name: string): SecretProblem | undefined {
    const declared = this.declared.get(name)!;
    if (declared.isWrong || !hasSeveralKeys(declared.value)) return undefined;
    return {
      code: 'secret/family',
      message: `the secret ${quoted(name)} has several keys, but none is named`,
      hint: `\${secret.${name}[key]}, or \${secret.${name}["key"]}`,
    };
  }

  /**
   * Returns the name of one key of a secret, such as `db[user]` for `${secret.db[user]}`, and records where
   * it comes from, or returns the problem with the key. Two keys with one source are a problem, because both
   * would silently have the same value; so is a key with the environment variable of another secret. `name`
   * must be declared. A wrong declaration was reported before.
   */
  resolveMember(name: string, key: string): string | SecretProblem {
    const declared = this.declared.get(name)!;
    const member = `${name}[${key}]`;
    if (declared.isWrong || this.sources.has(member)) return member;
    const usesDefault = isDefaultSource(declared.value);
    if (!/^[A-Za-z0-9._-]+$/.test(key))
      return {
        code: 'secret/key',
        message: `${quoted(key)} is not a valid secret key`,
        hint: 'use letters, digits, `.`, `_` and `-`',
      };
    if (!hasSeveralKeys(declared.value) && !usesDefault)
      return {
        code: 'secret/key',
        message: `the secret ${quoted(name)} has no keys`,
        hint: 'name them in the source with `${key}`: `env: "DB_${key | upper}"`',
      };
    const source = this.#sourceOf(declared.key, declared.value, key);
    if (isFault(source)) return member;
    // In a text with several secrets, each key names another one.
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
    const clash = usesDefault ? this.#claimDefaultEnv({ ...declared.key, text: member }) : undefined;
    if (clash) return clash;
    keyByOrigin.set(origin, key);
    const pick = source.format ? { pick: { format: source.format, key } } : {};
    this.sources.set(member, { ...toSecretSource(declared.key, source), ...pick });
    return member;
  }

  /**
   * Records that a secret, or a key of one, is read from its default environment variable. Returns a problem if an earlier secret is, too.
   */
  #claimDefaultEnv(key: ScalarNode): Diagnostic | undefined {
    const env = secretEnv(key.text);
    const otherKey = this.#keyByDefaultEnv.get(env);
    this.#keyByDefaultEnv.set(env, otherKey ?? key);
    return otherKey && ambiguousEnv(env, key, otherKey);
  }
}

/** A problem with the use of a secret in an expression, which has the place. */
type SecretProblem = Omit<Diagnostic, 'severity' | 'at'>;

/**
 * Returns a text with its expressions replaced by their values, but with `${key}` left as it is. `trueup
 * render` prints the source of a secret with several keys like this, for example `DB_${key | upper}`, because
 * the source has another value for each key.
 */
function keepKeyExpressions(node: ScalarNode, expand: Expand): Node {
  const parts = parseExpressions(node.text).map((parsed): ExpressionNode['parts'][number] => {
    if (typeof parsed === 'string') return parsed;
    // The problem was reported when the declaration was read.
    if ('error' in parsed) return '';
    const { text, steps } = parsed;
    // The first step of a reference is printed as it is, so it can hold the whole text `key | upper`.
    if (steps[0]!.name === 'key')
      return { type: 'ref', at: node.at, steps: [{ name: text.slice(2, -1).trim(), start: 0 }] };
    const value = expand({ ...node, text, value: text });
    return value.type === 'scalar' ? value.text : '';
  });
  return { type: 'expression', at: node.at, parts };
}
