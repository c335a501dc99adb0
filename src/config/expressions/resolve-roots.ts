import type { Diagnostic } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { Expression, Node } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Step } from './parse-expressions.ts';
import type { Each, EnclosingBlock, Scope } from './scope.ts';

/** Stands for an expression with a problem, which was reported. */
export const failed: unique symbol = Symbol('failed');
/** Stands for an expression that leads to nothing, and may (`${x?}`). */
export const absent: unique symbol = Symbol('absent');

/** The place of an expression. */
export interface ExpressionPlace {
  at: Spot;
  stepAt(step: Step): Spot;
  /** It is the whole text: its value need not be text. */
  isWhole: boolean;
  /** The text inside a name in brackets. */
  expandName(text: string): string | undefined;
}

export type ResolvedValue = Expression | Node | typeof failed | typeof absent;

/** An expression while it is resolved, as what its first name means sees it. */
export interface ExpressionContext {
  place: ExpressionPlace;
  scope: Scope;
  /** Reports a problem. */
  fail(
    code: string,
    message: string,
    where: Spot,
    hint?: string,
    related?: Diagnostic['related'],
  ): typeof failed;
  failUndeclared(code: string, section: string, step: Step, declared: string[]): typeof failed;
  /** A step with its name, where other values make it; undefined where that failed. */
  resolveStep(step: Step): Step | undefined;
  /** Steps with their names, and their places in the file; undefined where one failed. */
  resolveSteps(steps: Step[]): Step[] | undefined;
  /** Follows names into a known value. */
  followSteps(value: Node, steps: Step[]): ResolvedValue;
}

/** `${var.name}` and what is in it. */
export function resolveVariable(of: ExpressionContext, [name, ...rest]: Step[]): ResolvedValue {
  const { stepAt, at } = of.place;
  const { variables, incomplete } = of.scope;
  if (!name) return of.fail('expression/syntax', '`var` needs a name', at, '${var.name}');
  if (!variables.has(name.name)) {
    if (incomplete) return failed;
    return of.failUndeclared('var/undeclared', 'variables', name, variables.names());
  }
  const value = variables.get(name.name);
  if (!value) return failed;
  if (value.type === 'missing') {
    if (!variables.isFirstUse(name.name)) return failed;
    const related = [{ message: 'declared here', at: value.at }];
    return of.fail(
      'var/missing',
      `the variable ${quoted(name.name)} has no value`,
      stepAt(name),
      value.hint,
      related,
    );
  }
  return of.followSteps(value, rest);
}

/** `${secret.name}`, or one key of a family. */
export function resolveSecret(of: ExpressionContext, steps: Step[]): ResolvedValue {
  const { stepAt, at } = of.place;
  const { secrets, incomplete } = of.scope;
  const [name, key, more] = steps;
  if (!name || more)
    return of.fail('expression/syntax', '`secret` needs one name', at, '${secret.name}, ${secret.name[key]}');
  if (!secrets) return of.fail('secret/not-here', 'a secret cannot be used here', at);
  if (!secrets.has(name.name)) {
    if (incomplete) return failed;
    return of.failUndeclared('secret/undeclared', 'secrets', name, secrets.names());
  }
  if (!key) {
    const wrong = secrets.needsKey(name.name);
    if (wrong) return of.fail(wrong.code, wrong.message, stepAt(name), wrong.hint);
    return { type: 'secret', at, name: name.name };
  }
  const named = of.resolveStep(key);
  if (!named) return failed;
  const member = secrets.member(name.name, named.name);
  if (typeof member === 'string') return { type: 'secret', at, name: member };
  return of.fail(member.code, member.message, stepAt(key), member.hint);
}

/** `${lookup.name.field}`. */
export function resolveLookup(of: ExpressionContext, root: Step, [name, field, more]: Step[]): ResolvedValue {
  const { stepAt, at } = of.place;
  const { lookups, incomplete } = of.scope;
  if (!name || !field || more)
    return of.fail('expression/syntax', '`lookup` needs a name and a field', at, '${lookup.name.field}');
  if (!lookups) return of.fail('lookup/not-here', 'a lookup cannot be used here', stepAt(root));
  if (!lookups.has(name.name)) {
    if (incomplete) return failed;
    return of.failUndeclared('lookup/undeclared', 'lookups', name, lookups.names());
  }
  const named = of.resolveStep(field);
  const fields = lookups.fields(name.name);
  if (!named || !fields) return failed;
  if (!fields.includes(named.name))
    return of.fail(
      'lookup/field',
      `the lookup ${quoted(name.name)} has no field ${quoted(named.name)}`,
      stepAt(field),
      hintFor(named.name, fields, 'it has'),
    );
  const isMoving = lookups.isMoving(name.name);
  return { type: 'lookup', at, name: name.name, attr: named.name, ...(isMoving ? { isMoving } : {}) };
}

/** `${input.name}` of a template, and what is in it. */
export function resolveInput(of: ExpressionContext, [name, ...rest]: Step[]): ResolvedValue {
  const { at } = of.place;
  const { input } = of.scope;
  if (!input)
    return of.fail('input/not-here', 'only a template has inputs', at, 'for a variable, write `${var.name}`');
  if (!name) return of.fail('expression/syntax', '`input` needs a name', at, '${input.name}');
  if (!input.has(name.name)) return of.failUndeclared('input/undeclared', '$inputs', name, input.names());
  const value = input.get(name.name);
  return value ? of.followSteps(value, rest) : failed;
}

/** `${each.key}` and `${each.value}`, of this `$each` or one around it. */
export function resolveEach(of: ExpressionContext, root: Step, steps: Step[]): ResolvedValue {
  const { stepAt, at } = of.place;
  let each: Each | undefined = of.scope.each;
  let [name, ...rest] = steps as [Step?, ...Step[]];
  while (each && name?.name === 'outer') {
    each = each.outer;
    [name, ...rest] = rest;
  }
  if (!each)
    return of.fail(
      'each/not-here',
      of.scope.each ? 'there is no outer `$each`' : 'there is no `$each` around it',
      stepAt(root),
      of.scope.input
        ? 'a template cannot see the `$each` of the block that uses it: pass the value as an input'
        : undefined,
    );
  if (name?.name === 'value') return of.followSteps(each.value, rest);
  if (name?.name !== 'key' || rest.length > 0)
    return of.fail(
      'expression/syntax',
      '`each` has a key and a value',
      at,
      '${each.key}, ${each.value}, ${each.value.name}, ${each.outer.key}',
    );
  return (
    each.key ??
    of.fail('each/no-key', 'items of a list of maps have no key', stepAt(name), 'use ${each.value.name}')
  );
}

/** `${stage}`. */
export function resolveStage(of: ExpressionContext, root: Step): ResolvedValue {
  const { stage } = of.scope;
  if (stage === undefined)
    return of.fail(
      'stage/none',
      'the configuration has no stages',
      of.place.stepAt(root),
      'declare them under `stages` and select one with --stage',
    );
  const { at } = of.place;
  return { type: 'scalar', at, text: stage, value: stage };
}

/** A field of the nearest block of a kind around the text: its name as it is written, or a reference. */
export function resolveEnclosingField(
  of: ExpressionContext,
  root: Step,
  steps: Step[],
  block: EnclosingBlock | undefined,
): ResolvedValue {
  const { stepAt, at } = of.place;
  const kind = root.name;
  if (!block)
    return of.fail(
      'expression/around',
      `this is not inside a ${kind}`,
      stepAt(root),
      'name it: ${projects.web.id}',
    );
  const [field, ...more] = steps;
  if (!field)
    return of.fail(
      'expression/syntax',
      `name a field of the ${kind}`,
      at,
      block.key ? `\${${kind}.${block.key.field}}, \${${kind}.id}` : `\${${kind}.id}`,
    );
  if (block.key?.field === field.name && more.length === 0) return block.key.node;
  if (!of.scope.secrets)
    return of.fail('ref/in-name', 'a name can only contain values known at this point', stepAt(field));
  const way: Step[] = [];
  for (let enclosing: EnclosingBlock | undefined = block; enclosing; enclosing = enclosing.parent)
    way.unshift(...enclosing.path.map((name) => ({ name, start: stepAt(root).start })));
  const behind = of.resolveSteps([field, ...more]);
  return behind ? { type: 'ref', at, steps: [...way, ...behind] } : failed;
}

/** The nearest block of a kind, from the inside. */
export function nearestBlock(block: EnclosingBlock | undefined, kind: string): EnclosingBlock | undefined {
  for (let one = block; one; one = one.parent) if (one.kind === kind) return one;
  return undefined;
}
