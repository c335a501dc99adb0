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
  type Scalar,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf, Source } from '../yaml/source.ts';
import { parseTemplate } from './template.ts';

export interface Given {
  /** From `--var name=value`. */
  vars: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  files: MapNode[];
  env: Record<string, string | undefined>;
  /** The environment variables that secrets are read from, in capitals: what one of them holds is not shown. */
  secretEnvs: ReadonlySet<string>;
  /** Whether a variable may be read from the environment variable that it names. Called only where that decides. */
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

/** The section `variables:` with its values: `--var` > `--var-file` > `TRUEUP_VAR_name` > `env` > `default`. */
export function readVariables(
  section: Node | undefined,
  given: Given,
): { variables: Variables; origins: Asked[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const variables: Variables = new Map();
  const origins: Asked[] = [];
  const own = new Map<string, ScalarNode>();
  const say = (code: string, message: string, at: Position | undefined, hint?: string) =>
    diagnostics.push(problem(code, message, { at, hint }));

  if (section && section.type !== 'map')
    say(
      'config/type',
      '`variables` takes a map of names',
      positionOf(section.at),
      'variables: { stage: { default: production } }',
    );
  for (const { key, value } of section?.type === 'map' ? section.entries : []) {
    variables.set(key.text, undefined);
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
      say(
        'var/name',
        `${quoted(key.text)} is no name for a variable`,
        positionOf(key.at),
        'letters, digits, `_` and `-`',
      );
    else if (value.type !== 'map' && !isNull(value)) {
      maskNode(value);
      say(
        'var/declaration',
        'a variable is declared as a map',
        positionOf(value.at),
        `${key.text}: { default: ... }`,
      );
    } else {
      const declared = value.type === 'map' ? value : undefined;
      const unknown = declared?.entries.find((entry) => !members.includes(entry.key.text));
      if (unknown)
        say(
          'config/unknown-key',
          `a variable has no ${quoted(unknown.key.text)}`,
          positionOf(unknown.key.at),
          hintFor(unknown.key.text, members),
        );
      const env = declared && entryOf(declared, 'env')?.value;
      const ownEnv = variableEnv(key.text);
      const twin = own.get(ownEnv);
      if (twin) diagnostics.push(sameEnv(ownEnv, key, twin));
      else own.set(ownEnv, key);
      if (env && (env.type !== 'scalar' || env.value === null || env.text.trim() === ''))
        say('config/type', '`env` takes the name of an environment variable', positionOf(env.at));
      else if (env?.type === 'scalar' && isRefused(env)) continue;
      else if (!twin) variables.set(key.text, variableValue(key, declared));
    }
  }
  const names = [...variables.keys()];
  for (const name of Object.keys(given.vars))
    if (!variables.has(name))
      say(
        'var/undeclared',
        `--var gives ${quoted(name)}, which \`variables\` does not declare`,
        undefined,
        hintFor(name, names, 'declared are'),
      );
  for (const { key, value } of given.files.flatMap((file) => file.entries))
    if (!variables.has(key.text)) {
      maskNode(value);
      say(
        'var/undeclared',
        `\`variables\` does not declare ${quoted(key.text)}`,
        positionOf(key.at),
        hintFor(key.text, names, 'declared are'),
      );
    }
  return { variables, origins, diagnostics };

  /** Reports an environment variable that no variable may show. */
  function isRefused(env: ScalarNode): boolean {
    const why = isOutOfReach(env.text, 'variable');
    const isSecret = given.secretEnvs.has(env.text.trim().toUpperCase());
    if (isSecret) diagnostics.push(shownSecret(env.text, positionOf(env.at)));
    else if (why !== undefined) diagnostics.push(refusedEnv(env, why));
    return isSecret || why !== undefined;
  }

  function variableValue(key: ScalarNode, declared: MapNode | undefined): Node | Missing | undefined {
    const name = key.text;
    if (Object.hasOwn(given.vars, name)) return outsideText(given.vars[name]!);
    const written = given.files.findLast((file) => entryOf(file, name)) ?? declared;
    const node = written && entryOf(written, written === declared ? 'default' : name)?.value;
    if (node && written !== declared) return literal(node);
    const env = declared && entryOf(declared, 'env')?.value;
    const own = variableEnv(name);
    const fromOwn = envValue(given.env, own);
    const asked =
      env?.type === 'scalar'
        ? ({ use: 'variable', name, origin: { env: env.text }, ...placeOf(env) } as const)
        : undefined;
    if (asked) origins.push(asked);
    if (fromOwn !== undefined) return outsideText(fromOwn);
    // A default in place of what may not be read would be a guess.
    if (asked && !given.mayRead(asked)) return undefined;
    const fromEnv = env?.type === 'scalar' ? envValue(given.env, env.text) : undefined;
    if (fromEnv !== undefined) return outsideText(fromEnv);
    if (node) return literal(node);
    const ways = `--var ${name}=..., ${own}`;
    return {
      type: 'missing',
      at: positionOf(key.at),
      hint: env?.type === 'scalar' ? `set ${env.text}, or give ${ways}` : `give ${ways}, or a \`default\``,
    };
  }

  /** A value as it is written, which holds no expressions. */
  function literal(node: Node): Node | undefined {
    if (node.type === 'list') return { ...node, items: node.items.map((item) => literal(item) ?? item) };
    if (node.type === 'map')
      return {
        ...node,
        entries: node.entries.map(({ key, value }) => ({ key, value: literal(value) ?? value })),
      };
    if (node.type !== 'scalar' || !node.text.includes('${')) return node;
    const parts = parseTemplate(node.text);
    if (parts.length === 1 && typeof parts[0] === 'string')
      return { ...node, text: parts[0], value: parts[0] };
    say(
      'var/nested',
      'the value of a variable cannot contain `${...}`',
      positionOf(node.at),
      'write `$${` for a literal `${`',
    );
    return undefined;
  }
}

const placeOf = ({ at }: Node) => ({ folder: at.source.folder ?? '.', at: positionOf(at) });

const nowhere = { source: new Source('', ''), start: 0, end: 0 };

/** A value from the command line or the environment: text, that a field may also read as a number or boolean. */
function outsideText(text: string): ScalarNode {
  let value: Scalar = text;
  if (text === 'true' || text === 'false') value = text === 'true';
  else if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text)) value = Number(text);
  return { type: 'scalar', at: nowhere, text, value };
}
