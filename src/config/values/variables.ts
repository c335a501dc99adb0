import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { isOutOfReach, refusedEnv, sameEnv, shownSecret } from '../sources/env-verdict.ts';
import { type Asked, envValue, variableEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  entryOf,
  isNull,
  type MapNode,
  maskNode,
  type Node,
  outsideText,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';

export interface Given {
  /** From `--var name=value`. */
  vars: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  files: MapNode[];
  env: Record<string, string | undefined>;
  /** The environment variables that secrets are read from, in capitals: what one of them holds is not shown. */
  secretEnvs: ReadonlySet<string>;
  /** Decides whether a variable may be read from the environment variable that it names. Called only where that matters. */
  mayRead(asked: Asked): boolean;
}

/** A variable without a value: a problem only where it is used. */
interface Missing {
  type: 'missing';
  at: Position;
  hint: string;
}
/** Values by name; undefined where a problem was reported already. */
export type Variables = Map<string, Node | Missing | undefined>;

const members = ['default', 'env', 'description'];

/** Reads the section `variables:`. A value comes from `--var`, else `--var-file`, `TRUEUP_VAR_name`, `env` or `default`. */
export function readVariables(
  section: Node | undefined,
  given: Given,
): { variables: Variables; origins: Asked[]; diagnostics: Diagnostic[] } {
  const reader = new VariableReader(given);
  reader.declareAll(section);
  reader.checkGiven();
  const { variables, origins, diagnostics } = reader;
  return { variables, origins, diagnostics };
}

class VariableReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly variables: Variables = new Map();
  readonly origins: Asked[] = [];
  readonly #given: Given;
  /** The variable that each `TRUEUP_VAR_name` belongs to. */
  readonly #owners = new Map<string, ScalarNode>();

  constructor(given: Given) {
    this.#given = given;
  }

  #say(code: string, message: string, at: Position | undefined, hint?: string): void {
    this.diagnostics.push(problem(code, message, { at, hint }));
  }

  declareAll(section: Node | undefined): void {
    if (section && section.type !== 'map')
      this.#say(
        'config/type',
        '`variables` takes a map of names',
        positionOf(section.at),
        'variables: { stage: { default: production } }',
      );
    for (const { key, value } of section?.type === 'map' ? section.entries : []) {
      this.variables.set(key.text, undefined);
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        this.#say(
          'var/name',
          `${quoted(key.text)} is no name for a variable`,
          positionOf(key.at),
          'letters, digits, `_` and `-`',
        );
      else if (value.type !== 'map' && !isNull(value)) {
        maskNode(value);
        this.#say(
          'var/declaration',
          'a variable is declared as a map',
          positionOf(value.at),
          `${key.text}: { default: ... }`,
        );
      } else this.#declare(key, value.type === 'map' ? value : undefined);
    }
  }

  #declare(key: ScalarNode, declared: MapNode | undefined): void {
    const unknown = declared?.entries.find((entry) => !members.includes(entry.key.text));
    if (unknown)
      this.#say(
        'config/unknown-key',
        `a variable has no ${quoted(unknown.key.text)}`,
        positionOf(unknown.key.at),
        hintFor(unknown.key.text, members),
      );
    const env = declared && entryOf(declared, 'env')?.value;
    const ownEnv = variableEnv(key.text);
    const owner = this.#owners.get(ownEnv);
    if (owner) this.diagnostics.push(sameEnv(ownEnv, key, owner));
    else this.#owners.set(ownEnv, key);
    if (env && (env.type !== 'scalar' || env.value === null || env.text.trim() === ''))
      this.#say('config/type', '`env` takes the name of an environment variable', positionOf(env.at));
    else if (env?.type === 'scalar' && this.#isRefused(env)) return;
    else if (!owner) this.variables.set(key.text, this.#valueOf(key, declared));
  }

  /** Reports values from the command line that no variable takes. */
  checkGiven(): void {
    const names = [...this.variables.keys()];
    for (const name of Object.keys(this.#given.vars))
      if (!this.variables.has(name))
        this.#say(
          'var/undeclared',
          `--var gives ${quoted(name)}, which \`variables\` does not declare`,
          undefined,
          hintFor(name, names, 'declared are'),
        );
    for (const { key, value } of this.#given.files.flatMap((file) => file.entries))
      if (!this.variables.has(key.text)) {
        maskNode(value);
        this.#say(
          'var/undeclared',
          `\`variables\` does not declare ${quoted(key.text)}`,
          positionOf(key.at),
          hintFor(key.text, names, 'declared are'),
        );
      }
  }

  /** Reports an environment variable that no variable may show. */
  #isRefused(env: ScalarNode): boolean {
    const why = isOutOfReach(env.text, 'variable');
    const isSecret = this.#given.secretEnvs.has(env.text.trim().toUpperCase());
    if (isSecret) this.diagnostics.push(shownSecret(env.text, positionOf(env.at)));
    else if (why !== undefined) this.diagnostics.push(refusedEnv(env, why));
    return isSecret || why !== undefined;
  }

  #valueOf(key: ScalarNode, declared: MapNode | undefined): Node | Missing | undefined {
    const name = key.text;
    if (Object.hasOwn(this.#given.vars, name)) return outsideText(this.#given.vars[name]!);
    const written = this.#given.files.findLast((file) => entryOf(file, name)) ?? declared;
    const node = written && entryOf(written, written === declared ? 'default' : name)?.value;
    if (node && written !== declared) return this.#literal(node);
    const env = declared && entryOf(declared, 'env')?.value;
    const own = variableEnv(name);
    const fromOwn = envValue(this.#given.env, own);
    const asked =
      env?.type === 'scalar'
        ? ({ use: 'variable', name, origin: { env: env.text }, ...placeOf(env) } as const)
        : undefined;
    if (asked) this.origins.push(asked);
    if (fromOwn !== undefined) return outsideText(fromOwn);
    // A default in place of what may not be read would be a guess.
    if (asked && !this.#given.mayRead(asked)) return undefined;
    const fromEnv = env?.type === 'scalar' ? envValue(this.#given.env, env.text) : undefined;
    if (fromEnv !== undefined) return outsideText(fromEnv);
    if (node) return this.#literal(node);
    const ways = `--var ${name}=..., ${own}`;
    return {
      type: 'missing',
      at: positionOf(key.at),
      hint: env?.type === 'scalar' ? `set ${env.text}, or give ${ways}` : `give ${ways}, or a \`default\``,
    };
  }

  /** A value as it is written, which holds no expressions. */
  #literal(node: Node): Node | undefined {
    if (node.type === 'list')
      return { ...node, items: node.items.map((item) => this.#literal(item) ?? item) };
    if (node.type === 'map')
      return {
        ...node,
        entries: node.entries.map(({ key, value }) => ({ key, value: this.#literal(value) ?? value })),
      };
    if (node.type !== 'scalar' || !node.text.includes('${')) return node;
    const parts = parseExpressions(node.text);
    if (parts.length === 1 && typeof parts[0] === 'string')
      return { ...node, text: parts[0], value: parts[0] };
    this.#say(
      'var/nested',
      'the value of a variable cannot contain `${...}`',
      positionOf(node.at),
      'write `$${` for a literal `${`',
    );
    return undefined;
  }
}

const placeOf = ({ at }: Node) => ({ folder: at.source.folder ?? '.', at: positionOf(at) });
