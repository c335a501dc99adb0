/**
 * Resolves expressions by their first name: `var`, `secret`, `lookup`, `input`, `each`, `stage`, or the kind of an enclosing block.
 *
 * Each function gets the expression (`context`) and the steps after the first name. It returns a node with the value, an expression that
 * is resolved later (secrets, lookups, references), `absent`, or `failed` after a report.
 */
import type { Details } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { type Expression, type Node, textNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { PathStep } from './parse-expressions.ts';
import type { Each, EnclosingBlock, ExpressionScope } from './scope.ts';

/** The result of an expression whose problem was reported. */
export const failed: unique symbol = Symbol('failed');
/** The result of an expression without a value. That is no problem for `${x?}`. */
export const absent: unique symbol = Symbol('absent');

/** The place of an expression. */
export interface ExpressionPlace {
  at: Spot;
  stepAt(step: PathStep): Spot;
  /** True if the expression is the whole text: then its value need not be text. */
  isWhole: boolean;
  /** True if the text can be left out: it is the key or the value of an entry, or an item of a list. */
  isOmittable: boolean;
  /** Returns a name in brackets with its expressions replaced; undefined after a report. */
  expandName(text: string): string | undefined;
}

/** The result of resolving an expression. */
export type ResolvedValue = Expression | Node | typeof failed | typeof absent;

/** An expression while it is resolved, with the helpers that resolving by the first name needs. */
export interface ExpressionContext {
  place: ExpressionPlace;
  scope: ExpressionScope;
  /** Reports a problem and returns `failed`. */
  fail(code: string, message: string, details: Details): typeof failed;
  /** Reports a name that is not declared in a section and returns `failed`. */
  failUndeclared(
    code: string,
    section: string,
    step: PathStep,
    declared: ReadonlyMap<string, unknown>,
  ): typeof failed;
  /** Returns a step with its name, which other values can determine (`[input.country]`); undefined after a report. */
  resolveStep(step: PathStep): PathStep | undefined;
  /** Returns steps with their names and their places in the file; undefined after a report. */
  resolveSteps(steps: PathStep[]): PathStep[] | undefined;
  /** Returns the value at a path inside a known value. */
  followSteps(value: Node, steps: PathStep[]): ResolvedValue;
}

/**
 * Resolves `${var.name}`, and paths inside its value (`innerSteps`), to a node of the YAML. Returns `failed`
 * after it reported a problem. A variable that is declared and has no value is reported only at its first
 * use. One that is not declared is not reported if a file could not be read (`incomplete`), because the file
 * may declare it.
 */
export function resolveVariable(
  context: ExpressionContext,
  [name, ...innerSteps]: PathStep[],
): ResolvedValue {
  const { stepAt, at } = context.place;
  const { variables, incomplete } = context.scope;
  if (!name) return context.fail('expression/syntax', '`var` needs a name', { at, hint: '${var.name}' });
  if (!variables.declared.has(name.name))
    return incomplete
      ? failed
      : context.failUndeclared('config/undeclared', 'variables', name, variables.declared);
  const value = variables.get(name.name);
  if (!value) return failed;
  if (value.type === 'missing') {
    if (!variables.isFirstUse(name.name)) return failed;
    const related = [{ message: 'declared here', at: value.at }];
    return context.fail('var/missing', `the variable ${quoted(name.name)} has no value`, {
      at: stepAt(name),
      hint: value.hint,
      related,
    });
  }
  return context.followSteps(value, innerSteps);
}

/**
 * Resolves `${secret.name}`, or one member of a secret with several keys: `${secret.name[key]}`. The result
 * only names the secret, because its value is read later. Returns `failed` after it reported a problem, such
 * as an undeclared name. That is not reported if a file could not be read (`incomplete`), because the file
 * may declare it.
 */
export function resolveSecret(context: ExpressionContext, steps: PathStep[]): ResolvedValue {
  const { stepAt, at } = context.place;
  const { secrets, incomplete } = context.scope;
  const [name, key, excessStep] = steps;
  if (!name || excessStep)
    return context.fail('expression/syntax', '`secret` needs one name', {
      at,
      hint: '${secret.name}, ${secret.name[key]}',
    });
  if (!secrets) return context.fail('secret/not-here', 'a secret cannot be used here', { at });
  if (!secrets.declared.has(name.name))
    return incomplete
      ? failed
      : context.failUndeclared('config/undeclared', 'secrets', name, secrets.declared);
  if (!key) {
    const keyProblem = secrets.needsKey(name.name);
    if (keyProblem)
      return context.fail(keyProblem.code, keyProblem.message, { at: stepAt(name), hint: keyProblem.hint });
    return { type: 'secret', at, name: name.name };
  }
  const resolvedKey = context.resolveStep(key);
  if (!resolvedKey) return failed;
  const member = secrets.resolveMember(name.name, resolvedKey.name);
  if (typeof member === 'string') return { type: 'secret', at, name: member };
  return context.fail(member.code, member.message, { at: stepAt(key), hint: member.hint });
}

/**
 * Resolves `${lookup.name.field}`: a field of the answer to a query that `lookups:` declares. The result only
 * names it, because a plan sends the query later. Returns `failed` after a report. `root`: the step `lookup`
 * itself, for messages. An undeclared name is not reported if a file that may declare it could not be read
 * (`incomplete`).
 */
export function resolveLookup(
  context: ExpressionContext,
  root: PathStep,
  [name, field, excessStep]: PathStep[],
): ResolvedValue {
  const { stepAt, at } = context.place;
  const { lookups, incomplete } = context.scope;
  if (!name || !field || excessStep)
    return context.fail('expression/syntax', '`lookup` needs a name and a field', {
      at,
      hint: '${lookup.name.field}',
    });
  if (!lookups) return context.fail('lookup/not-here', 'a lookup cannot be used here', { at: stepAt(root) });
  if (!lookups.declared.has(name.name))
    return incomplete
      ? failed
      : context.failUndeclared('config/undeclared', 'lookups', name, lookups.declared);
  const resolvedField = context.resolveStep(field);
  const fields = lookups.fields(name.name);
  if (!resolvedField || !fields) return failed;
  if (!fields.includes(resolvedField.name))
    return context.fail(
      'lookup/field',
      `the lookup ${quoted(name.name)} has no field ${quoted(resolvedField.name)}`,
      { at: stepAt(field), hint: hintFor(resolvedField.name, fields, 'it has') },
    );
  // The answer of a moving lookup can change without a change of the configuration, so `combineParts` allows it only in `$then`.
  const isMoving = lookups.isMoving(name.name);
  return { type: 'lookup', at, name: name.name, attr: resolvedField.name, isMoving: isMoving || undefined };
}

/**
 * Resolves `${input.name}` of a template, and paths inside its value (`innerSteps`). Each use of a template
 * sets its inputs to other values. Returns `failed` after it reported a problem, such as an expression
 * outside of templates.
 */
export function resolveInput(context: ExpressionContext, [name, ...innerSteps]: PathStep[]): ResolvedValue {
  const { at } = context.place;
  const { input } = context.scope;
  if (!input)
    return context.fail('input/not-here', 'only a template has inputs', {
      at,
      hint: 'for a variable, write `${var.name}`',
    });
  if (!name) return context.fail('expression/syntax', '`input` needs a name', { at, hint: '${input.name}' });
  if (!input.declared.has(name.name))
    return context.failUndeclared('input/undeclared', '$inputs', name, input.declared);
  const value = input.get(name.name);
  return value ? context.followSteps(value, innerSteps) : failed;
}

/**
 * Resolves `${each.key}` and `${each.value}` of the innermost `$each`. Each `outer` in front goes one `$each` outwards.
 * Returns `failed` after it reported that there is none. `root`: the step `each` itself, for messages.
 */
export function resolveEach(context: ExpressionContext, root: PathStep, steps: PathStep[]): ResolvedValue {
  const { stepAt, at } = context.place;
  let each: Each | undefined = context.scope.each;
  let [name, ...innerSteps] = steps as [PathStep?, ...PathStep[]];
  while (each && name?.name === 'outer') {
    each = each.outer;
    [name, ...innerSteps] = innerSteps;
  }
  if (!each) return failWithoutEach(context, root);
  if (name?.name === 'value') return context.followSteps(each.value, innerSteps);
  if (name?.name !== 'key' || innerSteps.length > 0)
    return context.fail('expression/syntax', '`each` has a key and a value', {
      at,
      hint: '${each.key}, ${each.value}, ${each.value.name}, ${each.outer.key}',
    });
  if (each.key) return each.key;
  return context.fail('each/no-key', 'items of a list of maps have no key', {
    at: stepAt(name),
    hint: 'use ${each.value.name}',
  });
}

/** Reports `${each...}` where no `$each` is around it, or not as many as it goes outwards. */
function failWithoutEach(context: ExpressionContext, root: PathStep): typeof failed {
  const { scope, place } = context;
  const message = scope.each ? 'there is no outer `$each`' : 'there is no `$each` around it';
  const templateHint =
    'a template cannot see the `$each` of the block that uses it: pass the value as an input';
  return context.fail('each/not-here', message, {
    at: place.stepAt(root),
    hint: scope.input ? templateHint : undefined,
  });
}

/**
 * Resolves the expression `${stage}` to the name of the stage that `--stage` selects, so that names and values can differ between stages.
 * Returns `failed` after it reported that the configuration has no stages.
 */
export function resolveStage(context: ExpressionContext, root: PathStep): ResolvedValue {
  const { stage } = context.scope;
  if (stage === undefined)
    return context.fail('stage/none', 'the configuration has no stages', {
      at: context.place.stepAt(root),
      hint: 'declare them under `stages` and select one with --stage',
    });
  return textNode(stage, context.place.at);
}

/**
 * Resolves a field of the nearest enclosing block of a kind, such as `${project.name}`, so that a template
 * can refer to the project that uses it. The map key of the block is known now; any other field becomes a
 * reference that is resolved later, with the path from the root to the block. `root`: the name of the kind.
 * `steps`: the field and the steps behind it. `block`: undefined if no such block encloses the expression.
 */
export function resolveEnclosingField(
  context: ExpressionContext,
  root: PathStep,
  steps: PathStep[],
  block: EnclosingBlock | undefined,
): ResolvedValue {
  const { stepAt, at } = context.place;
  const kind = root.name;
  if (!block)
    return context.fail('expression/around', `this is not inside a ${kind}`, {
      at: stepAt(root),
      hint: 'name it: ${projects.web.id}',
    });
  const [field, ...innerSteps] = steps;
  if (!field)
    return context.fail('expression/syntax', `name a field of the ${kind}`, {
      at,
      hint: block.key ? `\${${kind}.${block.key.field}}, \${${kind}.id}` : `\${${kind}.id}`,
    });
  if (block.key?.field === field.name && innerSteps.length === 0) return block.key.node;
  // Names and conditions take no value that is known later. Their scopes have no secrets.
  const mustBeKnownNow = !context.scope.secrets;
  if (mustBeKnownNow)
    return context.fail('ref/in-name', 'a name can only contain values known at this point', {
      at: stepAt(field),
    });
  // The reference names the section and the names of each enclosing block (`path`), from the root.
  const blockSteps: PathStep[] = [];
  for (let enclosing: EnclosingBlock | undefined = block; enclosing; enclosing = enclosing.parent)
    blockSteps.unshift(...enclosing.path.map((name) => ({ name, start: stepAt(root).start })));
  const fieldSteps = context.resolveSteps([field, ...innerSteps]);
  return fieldSteps ? { type: 'ref', at, steps: [...blockSteps, ...fieldSteps] } : failed;
}

/** Returns the innermost enclosing block of a kind; undefined if there is none. */
export function nearestBlock(block: EnclosingBlock | undefined, kind: string): EnclosingBlock | undefined {
  for (let current = block; current; current = current.parent) if (current.kind === kind) return current;
  return undefined;
}
