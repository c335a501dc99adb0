import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { MissingVariable } from '../expressions/scope.ts';
import { envValue, type SourceRequest, variableEnv } from '../sources/verdict.ts';
import {
  entryOf,
  type MapNode,
  mapChildren,
  memberOf,
  type Node,
  outsideText,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** Everything outside of the declarations from which variables get values. */
export interface VariableInputs {
  /** From `--var name=value`. */
  vars: Record<string, string>;
  /** From `--var-file`, in order: the last file decides. */
  files: MapNode[];
  env: Record<string, string | undefined>;
  /** The environment variables from which secrets are read, in upper case. No variable may show them. */
  secretEnvs: ReadonlySet<string>;
  /** The stage and the values that it sets. */
  stage?: { name: string; variables: MapNode | undefined };
  /** True if a variable may be read from the environment variable in its declaration. Called only if that decides the value. */
  mayRead(request: SourceRequest): boolean;
  /** Returns the content of a data file that was read before; undefined after a report, if it could not be read. */
  readData(file: ScalarNode, variable: string): Node | undefined;
}

/** The value of a variable from the first source that has one. */
interface FoundValue {
  /** Undefined if it may not or cannot be read. The caller of `findVariableValue` has reported or will report that. */
  value: Node | MissingVariable | undefined;
  /** The request for the environment variable that the declaration names. */
  request?: SourceRequest;
  /** True if the value is in the configuration itself, and may contain expressions. */
  isExpandable?: true;
}

/**
 * Finds the value of a declared variable in the first of these that has one: `--var`, `--var-file`, `TRUEUP_VAR_name`, the stage, the
 * `env`, `file` or `default` of its declaration. Returns a `MissingVariable` with a hint if none has, because that is a problem only if
 * something uses the variable.
 */
export function findVariableValue(
  { text: name, at }: ScalarNode,
  declared: MapNode | undefined,
  inputs: VariableInputs,
  diagnostics: Diagnostic[],
): FoundValue {
  const { vars, files, env, stage } = inputs;
  if (Object.hasOwn(vars, name)) return { value: outsideText(vars[name]!) };
  const varFile = files.findLast((file) => entryOf(file, name));
  const fromFile = memberOf(varFile, name);
  if (fromFile) return { value: readLiteral(fromFile, diagnostics) };
  const envNode = memberOf(declared, 'env');
  const request = envNode?.type === 'scalar' ? toEnvRequest(name, envNode) : undefined;
  const trueupValue = envValue(env, variableEnv(name));
  if (trueupValue !== undefined) return { request, value: outsideText(trueupValue) };
  const stageValue = memberOf(stage?.variables, name);
  if (stageValue) return { request, value: stageValue, isExpandable: true };
  // Falling back to the default would be wrong, because the environment variable may have another value that must not be read.
  if (request && !inputs.mayRead(request)) return { request, value: undefined };
  const fromEnv = request && envValue(env, request.origin.env);
  if (fromEnv !== undefined) return { request, value: outsideText(fromEnv) };
  const file = memberOf(declared, 'file');
  if (file) return { request, value: inputs.readData(file as ScalarNode, name) };
  const value = memberOf(declared, 'default');
  if (value) return { request, value, isExpandable: true };
  const alternatives = `--var ${name}=..., ${variableEnv(name)}`;
  const hint = request
    ? `set ${request.origin.env}, or give ${alternatives}`
    : `give ${alternatives}, or a \`default\``;
  return { request, value: { type: 'missing', at: positionOf(at), hint } };
}

/**
 * Returns the request to read the environment variable in the declaration of the variable `name`, for which the operator's permission may
 * be needed.
 */
const toEnvRequest = (name: string, { text, at }: ScalarNode) =>
  ({
    use: 'variable',
    name,
    origin: { env: text },
    folder: at.source.folder ?? '.',
    at: positionOf(at),
  }) satisfies SourceRequest;

/**
 * Returns a value of a variable file, in which `$${` stands for `${`. Reports expressions, because these files are read before anything
 * that expressions could name, and then returns undefined.
 */
function readLiteral(node: Node, diagnostics: Diagnostic[]): Node | undefined {
  if (node.type !== 'scalar') return mapChildren(node, (child) => readLiteral(child, diagnostics) ?? child);
  if (!node.text.includes('${')) return node;
  const parts = parseExpressions(node.text);
  if (parts.length === 1 && typeof parts[0] === 'string') return { ...node, text: parts[0], value: parts[0] };
  diagnostics.push(
    problem('var/nested', 'a value in a variable file cannot contain `${...}`', {
      at: node,
      hint: 'write `$${` for a literal `${`',
    }),
  );
  return undefined;
}
