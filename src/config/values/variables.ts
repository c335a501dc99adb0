import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import type { MissingVariable, Variables } from '../expressions/scope.ts';
import type { Growth } from '../growth.ts';
import { ambiguousEnv, reasonOutOfReach, refusedEnv, secretShownByVariable } from '../sources/env-verdict.ts';
import { type SourceRequest, variableEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  entryOf,
  isNull,
  isPoisoned,
  type MapNode,
  maskNode,
  type Node,
  type ScalarNode,
  sizeOf,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { findVariableValue, type VariableInputs } from './variable-value.ts';

/** Variables that multiply each other must not keep a run busy. */
const maxSize = 1_000_000;

const variableKeys = ['default', 'env', 'file', 'description'];

/**
 * Reads the sections `variables:`. A value comes from `--var`, else `--var-file`, `TRUEUP_VAR_name`, the stage, `env`, and `file` or
 * `default`. A default may hold other variables.
 */
export function readVariables(
  sections: Node[],
  given: VariableInputs,
  growth: Growth,
): { variables: Variables; origins: SourceRequest[]; diagnostics: Diagnostic[]; growth: Growth } {
  const reader = new VariableReader(given, growth);
  for (const section of sections) reader.declareAll(section);
  reader.checkGiven();
  // What is wrong with a default is told even if nobody uses it.
  for (const name of reader.names()) reader.get(name);
  const { origins, diagnostics } = reader;
  return { variables: reader, origins, diagnostics, growth };
}

class VariableReader implements Variables {
  readonly diagnostics: Diagnostic[] = [];
  readonly origins: SourceRequest[] = [];
  readonly #values = new Map<string, Node | MissingVariable | undefined>();
  /** Defaults that are written as text with expressions, until they are asked for. */
  readonly #waiting = new Map<string, Node>();
  /** The variables whose defaults are being expanded, from the outside. */
  readonly #open: string[] = [];
  readonly #declared = new Map<string, ScalarNode>();
  readonly #used = new Set<string>();
  readonly #given: VariableInputs;
  readonly #expand: Expand;
  /** The variable that each `TRUEUP_VAR_name` belongs to. */
  readonly #owners = new Map<string, ScalarNode>();

  constructor(given: VariableInputs, growth: Growth) {
    this.#given = given;
    const stage = given.stage?.name;
    this.#expand = (node) =>
      expander(
        {
          growth,
          variables: this,
          sections: [],
          kinds: new Set(),
          incomplete: false,
          ...(stage === undefined ? {} : { stage }),
        },
        this.diagnostics,
      )(node);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  isFirstUse(name: string): boolean {
    const isFirst = !this.#used.has(name);
    this.#used.add(name);
    return isFirst;
  }

  get(name: string): Node | MissingVariable | undefined {
    const waiting = this.#waiting.get(name);
    if (!waiting) return this.#values.get(name);
    if (this.#open.includes(name)) {
      const circle = [...this.#open.slice(this.#open.indexOf(name)), name];
      this.#say(
        'var/cycle',
        `these variables depend on each other: ${circle.join(' → ')}`,
        positionOf(waiting.at),
        'write one of the values literally',
      );
      return undefined;
    }
    this.#open.push(name);
    const value = this.#expand(waiting);
    this.#open.pop();
    this.#waiting.delete(name);
    const isTooLarge = sizeOf(value) > maxSize;
    if (isTooLarge)
      this.#say(
        'var/too-large',
        `the variable ${quoted(name)} expands to more than ${maxSize} values`,
        positionOf(waiting.at),
      );
    this.#values.set(name, isTooLarge || isPoisoned(value) ? undefined : value);
    return this.#values.get(name);
  }

  #say(code: string, message: string, position: Position | undefined, hint?: string): void {
    this.diagnostics.push(problem(code, message, { at: position, hint }));
  }

  declareAll(section: Node | undefined): void {
    if (section && section.type !== 'map')
      this.#say(
        'config/type',
        '`variables` must be a map of names',
        positionOf(section.at),
        'variables: { stage: { default: production } }',
      );
    for (const { key, value } of section?.type === 'map' ? section.entries : []) {
      const first = this.#declared.get(key.text);
      if (first) {
        this.diagnostics.push(duplicateDeclaration('variable', key, first));
        continue;
      }
      this.#declared.set(key.text, key);
      this.#values.set(key.text, undefined);
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        this.#say(
          'var/name',
          `${quoted(key.text)} is not a valid variable name`,
          positionOf(key.at),
          'use letters, digits, `_` and `-`',
        );
      else if (value.type !== 'map' && !isNull(value)) {
        maskNode(value);
        this.#say(
          'var/declaration',
          'a variable must be a map',
          positionOf(value.at),
          `${key.text}: { default: ... }`,
        );
      } else this.#declare(key, value.type === 'map' ? value : undefined);
    }
  }

  #declare(key: ScalarNode, declared: MapNode | undefined): void {
    const unknown = declared?.entries.find((entry) => !variableKeys.includes(entry.key.text));
    if (unknown)
      this.#say(
        'config/unknown-key',
        `a variable has no ${quoted(unknown.key.text)}`,
        positionOf(unknown.key.at),
        hintFor(unknown.key.text, variableKeys),
      );
    const env = declared && entryOf(declared, 'env')?.value;
    const ownEnv = variableEnv(key.text);
    const owner = this.#owners.get(ownEnv);
    if (owner) this.diagnostics.push(ambiguousEnv(ownEnv, key, owner));
    else this.#owners.set(ownEnv, key);
    if (env && (env.type !== 'scalar' || env.value === null || env.text.trim() === ''))
      this.#say('config/type', '`env` must be the name of an environment variable', positionOf(env.at));
    else if (env?.type === 'scalar' && this.#isRefused(env)) return;
    else if (!owner) this.#enter(key, declared);
  }

  #enter(key: ScalarNode, declared: MapNode | undefined): void {
    const file = declared && entryOf(declared, 'file');
    const inPlace = declared && entryOf(declared, 'default');
    if (file && inPlace)
      this.#say(
        'var/declaration',
        'a variable can have a `file` or a `default`, not both',
        positionOf(inPlace.key.at),
        'keep one of the two',
      );
    else if (file && (file.value.type !== 'scalar' || typeof file.value.value !== 'string'))
      this.#say('config/type', '`file` must be the path of a file', positionOf(file.value.at));
    else {
      const {
        value,
        asked,
        isExpandable: isOwn,
      } = findVariableValue(key, declared, this.#given, this.diagnostics);
      if (asked) this.origins.push(asked);
      if (isOwn && value) this.#waiting.set(key.text, value as Node);
      this.#values.set(key.text, value);
    }
  }

  /** Reports values from the command line that no variable takes. */
  checkGiven(): void {
    const names = this.names();
    for (const name of Object.keys(this.#given.vars))
      if (!this.#values.has(name))
        this.#say(
          'var/undeclared',
          `--var sets ${quoted(name)}, which is not declared under \`variables\``,
          undefined,
          hintFor(name, names, 'declared'),
        );
    const ofStage = this.#given.stage?.variables?.entries ?? [];
    for (const { key, value } of [...this.#given.files.flatMap((file) => file.entries), ...ofStage])
      if (!this.#values.has(key.text)) {
        maskNode(value);
        this.#say(
          'var/undeclared',
          `${quoted(key.text)} is not declared under \`variables\``,
          positionOf(key.at),
          hintFor(key.text, names, 'declared'),
        );
      }
  }

  /** Reports an environment variable that no variable may show. */
  #isRefused(env: ScalarNode): boolean {
    const why = reasonOutOfReach(env.text, 'variable');
    const isSecret = this.#given.secretEnvs.has(env.text.trim().toUpperCase());
    if (isSecret) this.diagnostics.push(secretShownByVariable(env.text, positionOf(env.at)));
    else if (why !== undefined) this.diagnostics.push(refusedEnv(env, why));
    return isSecret || why !== undefined;
  }
}

/** Says that a name of the header is declared in two places. */
export const duplicateDeclaration = (what: string, key: ScalarNode, first: ScalarNode): Diagnostic =>
  problem('config/duplicate', `the ${what} ${quoted(key.text)} is declared twice`, {
    at: positionOf(key.at),
    hint: 'keep one of the two',
    related: [{ message: 'the first one', at: positionOf(first.at) }],
  });
