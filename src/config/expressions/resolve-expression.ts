import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import type { Expression, Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import type { Part, Step } from './parse-expressions.ts';
import type { Variables } from '../values/variables.ts';

/** The names that expressions may begin with, and the declared ones. `secrets: undefined` allows variables only. */
export interface Scope {
  variables: Variables;
  secrets?: ReadonlySet<string>;
  sections: string[];
  /** A file could not be read, so that something undeclared may be declared there. */
  incomplete: boolean;
}

/** Stands for an expression with a problem, which was reported. */
export const failed: unique symbol = Symbol('failed');

/** The place of an expression. */
interface Placed {
  at: Spot;
  stepAt(step: Step): Spot;
  /** It is the whole text: its value need not be text. */
  isWhole: boolean;
}

/** Resolves one expression of a text: to the value of a variable, or to a secret or reference that is resolved later. */
export function resolveExpression(
  part: Exclude<Part, string>,
  { at, stepAt, isWhole }: Placed,
  scope: Scope,
  diagnostics: Diagnostic[],
): Expression | Node | typeof failed {
  const fail = (
    code: string,
    message: string,
    where: Spot,
    hint?: string,
    related?: Diagnostic['related'],
  ): typeof failed => {
    diagnostics.push(
      problem(code, message, { at: positionOf(where), hint, ...(related ? { related } : {}) }),
    );
    return failed;
  };
  if ('error' in part)
    return fail(
      'expression/syntax',
      `this \`\${\` begins an expression, but ${part.error}`,
      at,
      'write `$${` for a literal `${`',
    );
  const [root, name, ...more] = part.steps as [Step, ...Step[]];
  if (root.name !== 'var' && root.name !== 'secret') {
    if (scope.secrets && scope.sections.includes(root.name))
      return { type: 'ref', at, steps: part.steps.map((step) => ({ ...step, start: stepAt(step).start })) };
    // What stands here is not repeated: it may be part of a secret that happens to contain `${`.
    const roots = ['var', ...(scope.secrets ? ['secret', ...scope.sections] : [])];
    return fail(
      'expression/unknown',
      'this expression begins with nothing that is known',
      stepAt(root),
      `${hintFor(root.name, roots, 'known are')}; write \`$\${\` for a literal \`\${\``,
    );
  }
  if (!name || more.length > 0)
    return fail('expression/syntax', `\`${root.name}\` takes one name`, at, `\${${root.name}.name}`);
  if (root.name === 'secret') {
    if (!scope.secrets) return fail('secret/not-here', 'a secret cannot be used here', at);
    if (scope.secrets.has(name.name)) return { type: 'secret', at, name: name.name };
    if (scope.incomplete) return failed;
    return fail(
      'secret/undeclared',
      `\`secrets\` does not declare ${quoted(name.name)}`,
      stepAt(name),
      hintFor(name.name, [...scope.secrets], 'declared are'),
    );
  }
  if (!scope.variables.has(name.name)) {
    if (scope.incomplete) return failed;
    return fail(
      'var/undeclared',
      `\`variables\` does not declare ${quoted(name.name)}`,
      stepAt(name),
      hintFor(name.name, [...scope.variables.keys()], 'declared are'),
    );
  }
  const value = scope.variables.get(name.name);
  if (!value) return failed;
  if (value.type === 'missing') {
    scope.variables.set(name.name, undefined);
    const related = [{ message: 'declared here', at: value.at }];
    return fail(
      'var/missing',
      `the variable ${quoted(name.name)} has no value`,
      stepAt(name),
      value.hint,
      related,
    );
  }
  if (isWhole || (value.type === 'scalar' && value.value !== null)) return value;
  return fail('var/not-text', `${quoted(name.name)} is no text, so it can only stand alone`, stepAt(name));
}

export const isNode = (part: Expression | Node): part is Node =>
  part.type !== 'secret' && part.type !== 'ref';
