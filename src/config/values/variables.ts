import { type Diagnostic, problem, Reporter, shellWord } from '../../model/diagnostic.ts';
import { type Expand, expander } from '../expressions/expand.ts';
import { parseExpressions } from '../expressions/parse-expressions.ts';
import type { MissingVariable, Variables } from '../expressions/scope.ts';
import type { Growth } from '../growth.ts';
import {
  ambiguousEnv,
  envValue,
  reasonNeverAllowed,
  refusedEnv,
  type SourceRequest,
  secretShownByVariable,
  variableEnv,
} from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  entriesOf,
  entryOf,
  hasReportedProblem,
  isNull,
  type MapNode,
  mapChildren,
  maskNode,
  memberOf,
  type Node,
  outsideText,
  type ScalarNode,
  sizeOf,
} from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** The most values that a variable may expand to, because variables can multiply each other. */
const maxSize = 1_000_000;

const variableKeys = ['default', 'env', 'file', 'description'];

/**
 * Reads the sections `variables:` and the values of all variables, for all other parts of the configuration. A value comes from the first
 * of these that has one: `--var`, `--var-file`, `TRUEUP_VAR_name`, the stage, `env`, and `file` or `default`. A default may contain other
 * variables. `origins`: the requests to read environment variables, for the ledger and for the check that none holds a secret. `growth`
 * limits how much variables may multiply each other; the caller goes on counting with it for the rest of the configuration.
 */
export function readVariables(
  sections: Node[],
  inputs: VariableInputs,
  growth: Growth,
): { variables: Variables; origins: SourceRequest[]; report: Reporter; growth: Growth } {
  const reader = new VariableReader(inputs, growth);
  for (const section of sections) reader.declareAll(section);
  reader.checkInputs();
  // Expand all defaults, so that problems with them are reported even if nothing uses the variable.
  for (const name of reader.declared.keys()) reader.get(name);
  return { variables: reader, origins: reader.origins, report: reader.report, growth };
}

/** Reads the declarations of variables, and expands a default when its value is first needed, because it may contain other variables. */
class VariableReader implements Variables {
  readonly report = new Reporter();
  readonly origins: SourceRequest[] = [];
  readonly #values = new Map<string, Node | MissingVariable | undefined>();
  /** Values that may contain expressions, until they are needed. */
  readonly #unexpanded = new Map<string, Node>();
  /** The variables whose values are being expanded. Each contains the next. */
  readonly #expanding: string[] = [];
  readonly declared = new Map<string, ScalarNode>();
  readonly #used = new Set<string>();
  readonly #inputs: VariableInputs;
  readonly #expand: Expand;
  /** The variable that each environment variable `TRUEUP_VAR_name` sets. */
  readonly #keyByEnv = new Map<string, ScalarNode>();

  /**
   * Creates the reader of the variables of one configuration. `inputs`: the values from the command line,
   * files, the environment and the stage. Values of variables may contain only other variables and the stage,
   * because secrets and references are read later, so the scope of their expressions is nearly empty.
   */
  constructor(inputs: VariableInputs, growth: Growth) {
    this.#inputs = inputs;
    const stage = inputs.stage?.name;
    // A new expander for each value, because expanding one variable may expand another.
    this.#expand = (node) =>
      expander(
        { growth, variables: this, sections: [], kinds: new Set(), incomplete: false, stage },
        this.report,
      )(node);
  }

  /**
   * True if this is the first call for the name of a variable. A variable without a value is reported at its
   * first use only.
   */
  isFirstUse(name: string): boolean {
    const isFirst = !this.#used.has(name);
    this.#used.add(name);
    return isFirst;
  }

  /**
   * Returns the value of a variable for `${var.name}`, with the expressions in it replaced at the first call.
   * Returns undefined after a report, for example for variables that contain each other in a cycle, and a
   * `MissingVariable` if no value was given.
   */
  get(name: string): Node | MissingVariable | undefined {
    const unexpanded = this.#unexpanded.get(name);
    if (!unexpanded) return this.#values.get(name);
    if (this.#expanding.includes(name)) {
      const cycle = [...this.#expanding.slice(this.#expanding.indexOf(name)), name];
      this.report.error('config/cycle', `these variables depend on each other: ${cycle.join(' → ')}`, {
        at: unexpanded,
        hint: 'write one of the values literally',
      });
      return undefined;
    }
    this.#expanding.push(name);
    const value = this.#expand(unexpanded);
    this.#expanding.pop();
    this.#unexpanded.delete(name);
    const isTooLarge = sizeOf(value) > maxSize;
    if (isTooLarge)
      this.report.error(
        'expression/too-long',
        `the variable ${quoted(name)} expands to more than ${maxSize} values`,
        { at: unexpanded },
      );
    this.#values.set(name, isTooLarge || hasReportedProblem(value) ? undefined : value);
    return this.#values.get(name);
  }

  /**
   * Reads all declarations in one section `variables:` (each file may have one). Reports duplicates, invalid
   * names and invalid forms. A variable with such a problem counts as declared, so that its uses are not
   * reported as well.
   */
  declareAll(section: Node | undefined): void {
    if (section && section.type !== 'map')
      this.report.error('config/type', '`variables` must be a map of names', {
        at: section,
        hint: 'variables: { stage: { default: production } }',
      });
    for (const { key, value } of entriesOf(section)) {
      const firstKey = this.declared.get(key.text);
      if (firstKey) {
        this.report.add(duplicateDeclaration('variable', key, firstKey));
        continue;
      }
      this.declared.set(key.text, key);
      this.#values.set(key.text, undefined);
      if (!hasValidName(key, 'variable', this.report)) continue;
      if (value.type !== 'map' && !isNull(value)) {
        maskNode(value);
        this.report.error('var/declaration', 'a variable must be a map', {
          at: value,
          hint: `${key.text}: { default: ... }`,
        });
      } else this.#declare(key, value.type === 'map' ? value : undefined);
    }
  }

  /**
   * Reads one declaration of a variable under `variables:`, and records its value. Reports unknown keys, two
   * variables that the same `TRUEUP_VAR_...` would set, and environment variables that it may not use.
   * `declared`: the map of the declaration; undefined if it is empty.
   */
  #declare(key: ScalarNode, declared: MapNode | undefined): void {
    for (const entry of declared?.entries ?? [])
      if (!variableKeys.includes(entry.key.text))
        this.report.error('config/unknown-key', `a variable has no ${quoted(entry.key.text)}`, {
          at: entry.key,
          hint: hintFor(entry.key.text, variableKeys),
        });
    const env = memberOf(declared, 'env');
    const ownEnv = variableEnv(key.text);
    const otherKey = this.#keyByEnv.get(ownEnv);
    if (otherKey) this.report.add(ambiguousEnv(ownEnv, key, otherKey));
    else this.#keyByEnv.set(ownEnv, key);
    if (env && (env.type !== 'scalar' || env.value === null || env.text.trim() === ''))
      this.report.error('config/type', '`env` must be the name of an environment variable', { at: env });
    else if (env?.type === 'scalar' && this.#isRefused(env)) return;
    else if (!otherKey) this.#recordValue(key, declared);
  }

  /**
   * Records the value of a declared variable for `${var.name}`, from the first source that has one. A value
   * that may contain expressions goes to `#unexpanded` until its first use, when `get` replaces them. Reports a
   * declaration with both `file` and `default`. If the declaration names an environment variable, also records the
   * request to read that (`origins`).
   */
  #recordValue(key: ScalarNode, declared: MapNode | undefined): void {
    const file = memberOf(declared, 'file');
    const defaultEntry = entryOf(declared, 'default');
    if (file && defaultEntry)
      this.report.error('var/declaration', 'a variable can have a `file` or a `default`, not both', {
        at: defaultEntry.key,
        hint: 'keep one of the two',
      });
    else if (file && (file.type !== 'scalar' || typeof file.value !== 'string'))
      this.report.error('config/type', '`file` must be the path of a file', { at: file });
    else {
      const { value, request, isExpandable } = findVariableValue(key, declared, this.#inputs, this.report);
      if (request) this.origins.push(request);
      if (isExpandable) this.#unexpanded.set(key.text, value);
      else this.#values.set(key.text, value);
    }
  }

  /**
   * Reports values from `--var`, `--var-file` and the stage for variables that are not declared. The name is
   * probably misspelled, and the value would otherwise be ignored silently. Values of files and of the stage are
   * masked, because a message quotes their lines.
   */
  checkInputs(): void {
    for (const name of Object.keys(this.#inputs.vars))
      if (!this.declared.has(name))
        this.report.error(
          'config/undeclared',
          `--var sets ${quoted(name)}, which is not declared under \`variables\``,
          { hint: hintFor(name, this.declared, 'declared') },
        );
    const stageEntries = this.#inputs.stage?.variables?.entries ?? [];
    for (const { key, value } of [...this.#inputs.files.flatMap((file) => file.entries), ...stageEntries])
      if (!this.declared.has(key.text)) {
        maskNode(value);
        this.report.error('config/undeclared', `${quoted(key.text)} is not declared under \`variables\``, {
          at: key,
          hint: hintFor(key.text, this.declared, 'declared'),
        });
      }
  }

  /**
   * True, after a report, if the declaration of a variable names an environment variable that holds a secret
   * of the configuration, or one that is reserved for trueup, such as its token. Plans print the values of
   * variables, so such a value would leak.
   */
  #isRefused(env: ScalarNode): boolean {
    const reason = reasonNeverAllowed(env.text, 'variable');
    const isSecret = this.#inputs.secretEnvs.has(env.text.trim().toUpperCase());
    if (isSecret) this.report.add(secretShownByVariable(env.text, positionOf(env.at)));
    else if (reason !== undefined) this.report.add(refusedEnv(env, reason));
    return isSecret || reason !== undefined;
  }
}

/**
 * Returns the problem with a variable, secret or template that is declared twice. Several files of a configuration may declare them, and
 * it would be unclear which declaration counts. `declarationType`: which of these it is.
 */
export const duplicateDeclaration = (
  declarationType: string,
  key: ScalarNode,
  firstKey: ScalarNode,
): Diagnostic =>
  problem('config/duplicate', `the ${declarationType} ${quoted(key.text)} is declared twice`, {
    at: key,
    hint: 'keep one of the two',
    related: [{ message: 'the first one', at: firstKey }],
  });

/**
 * True if the name of a variable, template or input has the form that all of them must have, such as `site-2`; reports any other name.
 * `declarationType`: which of the three it is, for the message.
 */
export function hasValidName(key: ScalarNode, declarationType: string, report: Reporter): boolean {
  const isValid = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text);
  if (!isValid)
    report.error('config/name', `${quoted(key.text)} is not a valid ${declarationType} name`, {
      at: key,
      hint: 'use letters, digits, `_` and `-`, and start with a letter or `_`',
    });
  return isValid;
}

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

/**
 * The value of a variable from the first source that has one. `request`: the request for the environment variable that the declaration
 * names. `isExpandable`: the value is in the configuration itself, and may contain expressions. The value is undefined if it may not or
 * cannot be read. The caller of `findVariableValue` has reported or will report that.
 */
type FoundValue = { request?: SourceRequest } & (
  | { value: Node | MissingVariable | undefined; isExpandable?: undefined }
  | { value: Node; isExpandable: true }
);

/**
 * Returns the value of a declared variable from the first of these that has one: `--var`, `--var-file`,
 * `TRUEUP_VAR_name`, the stage, and `env`, `file` or `default` of its declaration. If none has, returns a
 * `MissingVariable` with a hint, because that is a problem only if something uses the variable.
 * `isExpandable`: the value may contain expressions. `request`: what the declaration asks to read from the
 * environment.
 */
function findVariableValue(
  { text: name, at }: ScalarNode,
  declared: MapNode | undefined,
  inputs: VariableInputs,
  report: Reporter,
): FoundValue {
  const { vars, files, env, stage } = inputs;
  if (Object.hasOwn(vars, name)) return { value: outsideText(vars[name]!) };
  const varFile = files.findLast((file) => entryOf(file, name));
  const fromFile = memberOf(varFile, name);
  if (fromFile) return { value: readLiteral(fromFile, report) };
  const envNode = memberOf(declared, 'env');
  const request = envNode?.type === 'scalar' ? toEnvRequest(name, envNode) : undefined;
  const trueupValue = envValue(env, variableEnv(name));
  if (trueupValue !== undefined) return { request, value: outsideText(trueupValue) };
  const stageValue = memberOf(stage?.variables, name);
  if (stageValue) return { request, value: stageValue, isExpandable: true };
  // Falling back to the default would be wrong, because the environment variable may have another value that must not be read. The caller
  // reports the refused request.
  if (request && !inputs.mayRead(request)) return { request, value: undefined };
  const fromEnv = request && envValue(env, request.origin.env);
  if (fromEnv !== undefined) return { request, value: outsideText(fromEnv) };
  const file = memberOf(declared, 'file');
  if (file) return { request, value: inputs.readData(file as ScalarNode, name) };
  const value = memberOf(declared, 'default');
  if (value) return { request, value, isExpandable: true };
  const alternatives = `--var ${shellWord(name)}=..., ${variableEnv(name)}`;
  const hint = request
    ? `set ${request.origin.env}, or give ${alternatives}`
    : `give ${alternatives}, or a \`default\``;
  return { request, value: { type: 'missing', at: positionOf(at), hint } };
}

/**
 * Returns the request to read the environment variable that the variable `name` declares as its `env`. The
 * operator may have to permit it, because anyone who can write the YAML could otherwise show any environment
 * variable.
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
 * Returns a value of a `--var-file`, in which `$${` stands for `${`. Reports an expression, because these files are read before anything
 * that an expression could name. It has the result undefined, and inside a list or map it stays as it is written.
 */
function readLiteral(node: Node, report: Reporter): Node | undefined {
  if (node.type !== 'scalar') return mapChildren(node, (child) => readLiteral(child, report) ?? child);
  if (!node.text.includes('${')) return node;
  const parts = parseExpressions(node.text);
  if (parts.length === 1 && typeof parts[0] === 'string') return { ...node, text: parts[0], value: parts[0] };
  report.error('var/nested', 'a value in a variable file cannot contain `${...}`', {
    at: node,
    hint: 'write `$${` for a literal `${`',
  });
  return undefined;
}
