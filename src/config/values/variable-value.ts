import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { MissingVariable } from '../expressions/scope.ts';
import { envValue, type SourceRequest, variableEnv } from '../sources/verdict.ts';
import { entryOf, type MapNode, type Node, outsideText, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

export interface VariableInputs {
  /** From `--var name=value`. */
  vars: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  files: MapNode[];
  env: Record<string, string | undefined>;
  /** The environment variables that secrets are read from, in capitals: what one of them holds is not shown. */
  secretEnvs: ReadonlySet<string>;
  /** Those of the stage, and what it is called. */
  stage?: { name: string; variables: MapNode | undefined };
  /** Decides whether a variable may be read from the environment variable that it names. Called only where that matters. */
  mayRead(asked: SourceRequest): boolean;
  /** The content of a data file, which was read before; undefined where it could not be, which was reported. */
  dataOf(file: ScalarNode, variable: string): Node | undefined;
}

/** The value of a variable from the first source that has one. */
interface FoundValue {
  /** Undefined where a problem was reported. */
  value: Node | MissingVariable | undefined;
  /** The environment variable that the declaration names. */
  asked?: SourceRequest;
  /** It stands in the configuration, and may hold expressions. */
  isExpandable?: true;
}

/** Looks for the value of a declared variable: on the command line, in variable files, the environment, the stage, and its declaration. */
export function findVariableValue(
  { text: name, at }: ScalarNode,
  declared: MapNode | undefined,
  given: VariableInputs,
  diagnostics: Diagnostic[],
): FoundValue {
  const { vars, files, env, stage } = given;
  if (Object.hasOwn(vars, name)) return { value: outsideText(vars[name]!) };
  const written = files.findLast((file) => entryOf(file, name));
  if (written) return { value: readLiteral(entryOf(written, name)!.value, diagnostics) };
  const named = declared && entryOf(declared, 'env')?.value;
  const asked = named?.type === 'scalar' ? toEnvRequest(name, named) : undefined;
  const fromOwn = envValue(env, variableEnv(name));
  if (fromOwn !== undefined) return { asked, value: outsideText(fromOwn) };
  const ofStage = stage?.variables && entryOf(stage.variables, name);
  if (ofStage) return { asked, value: ofStage.value, isExpandable: true };
  // A default in place of what may not be read would be a guess.
  if (asked && !given.mayRead(asked)) return { asked, value: undefined };
  const fromEnv = asked && envValue(env, asked.origin.env);
  if (fromEnv !== undefined) return { asked, value: outsideText(fromEnv) };
  const file = declared && entryOf(declared, 'file')?.value;
  if (file) return { asked, value: given.dataOf(file as ScalarNode, name) };
  const value = declared && entryOf(declared, 'default')?.value;
  if (value) return { asked, value, isExpandable: true };
  const ways = `--var ${name}=..., ${variableEnv(name)}`;
  const hint = asked ? `set ${asked.origin.env}, or give ${ways}` : `give ${ways}, or a \`default\``;
  return { asked, value: { type: 'missing', at: positionOf(at), hint } };
}

const toEnvRequest = (name: string, { text, at }: ScalarNode) =>
  ({
    use: 'variable',
    name,
    origin: { env: text },
    folder: at.source.folder ?? '.',
    at: positionOf(at),
  }) satisfies SourceRequest;

/** A value of a variable file, which holds no expressions. */
function readLiteral(node: Node, diagnostics: Diagnostic[]): Node | undefined {
  const inside = (node: Node) => readLiteral(node, diagnostics) ?? node;
  if (node.type === 'list') return { ...node, items: node.items.map(inside) };
  if (node.type === 'map')
    return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: inside(value) })) };
  if (node.type !== 'scalar' || !node.text.includes('${')) return node;
  const parts = parseExpressions(node.text);
  if (parts.length === 1 && typeof parts[0] === 'string') return { ...node, text: parts[0], value: parts[0] };
  diagnostics.push(
    problem('var/nested', 'a value in a variable file cannot contain `${...}`', {
      at: positionOf(node.at),
      hint: 'write `$${` for a literal `${`',
    }),
  );
  return undefined;
}
