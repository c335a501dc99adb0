import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, type Expression, entryOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { filters } from './filters.ts';
import type { Path, Step } from './parse-expressions.ts';
import type { Each, Enclosing, Scope } from './scope.ts';

/** Stands for an expression with a problem, which was reported. */
export const failed: unique symbol = Symbol('failed');
/** Stands for an expression that leads to nothing, and may (`${x?}`). */
export const absent: unique symbol = Symbol('absent');

/** The place of an expression. */
interface Placed {
  at: Spot;
  stepAt(step: Step): Spot;
  /** It is the whole text: its value need not be text. */
  isWhole: boolean;
  /** The text inside a name in brackets. */
  nameOf(text: string): string | undefined;
}

type Resolved = Expression | Node | typeof failed | typeof absent;

/** Resolves one expression of a text: to a value, or to a secret or reference that is resolved later. */
export function resolveExpression(
  path: Path | { error: string },
  placed: Placed,
  scope: Scope,
  diagnostics: Diagnostic[],
): Resolved {
  return new Resolver(placed, scope, diagnostics).resolve(path);
}

class Resolver {
  readonly #placed: Placed;
  readonly #scope: Scope;
  readonly #diagnostics: Diagnostic[];

  constructor(placed: Placed, scope: Scope, diagnostics: Diagnostic[]) {
    this.#placed = placed;
    this.#scope = scope;
    this.#diagnostics = diagnostics;
  }

  #fail(
    code: string,
    message: string,
    where: Spot,
    hint?: string,
    related?: Diagnostic['related'],
  ): typeof failed {
    const address = this.#scope.block?.address;
    this.#diagnostics.push(
      problem(code, message, {
        at: positionOf(where),
        hint,
        ...(address === undefined ? {} : { address }),
        ...(related ? { related } : {}),
      }),
    );
    return failed;
  }

  #undeclared(code: string, section: string, step: Step, declared: string[]): typeof failed {
    return this.#fail(
      code,
      `${quoted(step.name)} is not declared under \`${section}\``,
      this.#placed.stepAt(step),
      hintFor(step.name, declared, 'declared'),
    );
  }

  resolve(path: Path | { error: string }): Resolved {
    const { at, isWhole } = this.#placed;
    if ('error' in path)
      return this.#fail(
        'expression/syntax',
        `this \`\${\` begins an expression, but ${path.error}`,
        at,
        'write `$${` for a literal `${`',
      );
    const found = this.#find(path.steps);
    if (found === failed) return failed;
    if (found === absent) {
      if (path.isOptional && isWhole) return absent;
      const name = path.steps.map((step) => step.name).join('.');
      return path.isOptional
        ? this.#fail(
            'expression/absent',
            `${quoted(name)} has no value, but the rest of the text needs one`,
            at,
          )
        : this.#fail(
            'expression/absent',
            `${quoted(name)} has no value`,
            at,
            `\`\${${name}?}\` alone omits its key if there is no value`,
          );
    }
    if (path.filters) return this.#filtered(found, path.filters);
    if (path.isOptional && typeof found === 'object' && !isNode(found) && found.type === 'lookup')
      return isWhole
        ? { ...found, isOptional: true }
        : this.#fail(
            'expression/syntax',
            'only a whole value can be omitted',
            at,
            `write \`\${...?}\` as the whole value`,
          );
    if (isWhole || !isNode(found) || found.type === 'expression') return found;
    if (found.type === 'scalar' && found.value !== null) return found;
    const called = quoted(
      path.steps
        .map(({ name }) => name)
        .join('.')
        .replace(/^var\./, ''),
    );
    return this.#fail(
      'var/not-text',
      `${called} is not text, so it must be the whole value`,
      this.#placed.stepAt(path.steps[1] ?? path.steps[0]!),
    );
  }

  #find(steps: Step[]): Resolved {
    const { at, stepAt } = this.#placed;
    const [root, ...rest] = steps as [Step, ...Step[]];
    if (root.name === 'var') return this.#variable(rest);
    if (root.name === 'secret') return this.#secret(rest);
    if (root.name === 'lookup' && !this.#scope.sections.includes('lookup')) return this.#lookup(root, rest);
    if (root.name === 'input') return this.#input(rest);
    if (root.name === 'each') return this.#each(root, rest);
    if (root.name === 'key' && rest.length === 0 && this.#scope.key) return this.#scope.key;
    if (root.name === 'stage' && rest.length === 0 && !this.#scope.sections.includes('stage'))
      return this.#stage(root);
    if (this.#scope.kinds.has(root.name)) {
      const block = enclosing(this.#scope.block, root.name);
      if (block || !this.#scope.sections.includes(root.name)) return this.#around(root, rest, block);
    }
    if (this.#scope.secrets && this.#scope.sections.includes(root.name)) {
      const named = this.#placedSteps(steps);
      return named ? { type: 'ref', at, steps: named } : failed;
    }
    // What stands here is not repeated: it may be part of a secret that happens to contain `${`.
    const { input, each, stage, secrets, sections, lookups } = this.#scope;
    const roots = [
      'var',
      ...(input ? ['input'] : []),
      ...(each ? ['each'] : []),
      ...(stage === undefined ? [] : ['stage']),
      ...(secrets ? ['secret', ...sections] : []),
      ...(lookups && lookups.names().length > 0 ? ['lookup'] : []),
    ];
    return this.#fail(
      'expression/unknown',
      'this expression starts with an unknown name',
      stepAt(root),
      `${hintFor(root.name, roots, 'known names')}; write \`$\${\` for a literal \`\${\``,
    );
  }

  /** Steps with their names, and their places in the file; undefined where one failed. */
  #placedSteps(steps: Step[]): Step[] | undefined {
    const placed: Step[] = [];
    for (const step of steps) {
      const named = this.#named(step);
      if (!named) return undefined;
      placed.push({ name: named.name, start: this.#placed.stepAt(step).start });
    }
    return placed;
  }

  /** A step with its name, where other values make it; undefined where that failed. */
  #named(step: Step): Step | undefined {
    const { name, start, computed } = step;
    if (!computed) return step;
    if ('text' in computed) {
      const text = this.#placed.nameOf(name);
      return text === undefined ? undefined : { name: text, start };
    }
    const found = this.#find(computed.path.map((inner) => ({ ...inner, start })));
    if (found === failed) return undefined;
    if (typeof found === 'object' && isNode(found) && found.type === 'scalar' && found.value !== null)
      return { name: found.text, start };
    this.#fail(
      'expression/name',
      `${quoted(name)} is not known as text at this point`,
      this.#placed.stepAt(step),
    );
    return undefined;
  }

  #variable([name, ...rest]: Step[]): Resolved {
    const { stepAt, at } = this.#placed;
    const { variables, incomplete } = this.#scope;
    if (!name) return this.#fail('expression/syntax', '`var` needs a name', at, '${var.name}');
    if (!variables.has(name.name)) {
      if (incomplete) return failed;
      return this.#undeclared('var/undeclared', 'variables', name, variables.names());
    }
    const value = variables.get(name.name);
    if (!value) return failed;
    if (value.type === 'missing') {
      if (!variables.isFirstUse(name.name)) return failed;
      const related = [{ message: 'declared here', at: value.at }];
      return this.#fail(
        'var/missing',
        `the variable ${quoted(name.name)} has no value`,
        stepAt(name),
        value.hint,
        related,
      );
    }
    return this.#within(value, rest);
  }

  /** Follows names into a known value. */
  #within(value: Node, steps: Step[]): Resolved {
    let at = value;
    for (const step of steps) {
      const named = this.#named(step);
      if (!named) return failed;
      if (at.type !== 'map')
        return this.#fail(
          'expression/no-map',
          `${quoted(named.name)} is looked up in ${describe(at)}`,
          this.#placed.stepAt(step),
          at.type === 'list' ? 'a list has no names; iterate over it with `$each`' : undefined,
        );
      const entry = entryOf(at, named.name);
      if (!entry) return absent;
      at = entry.value;
    }
    return at;
  }

  #secret(steps: Step[]): Resolved {
    const { stepAt, at } = this.#placed;
    const { secrets, incomplete } = this.#scope;
    const [name, key, more] = steps;
    if (!name || more)
      return this.#fail(
        'expression/syntax',
        '`secret` needs one name',
        at,
        '${secret.name}, ${secret.name[key]}',
      );
    if (!secrets) return this.#fail('secret/not-here', 'a secret cannot be used here', at);
    if (!secrets.has(name.name)) {
      if (incomplete) return failed;
      return this.#undeclared('secret/undeclared', 'secrets', name, secrets.names());
    }
    if (!key) {
      const wrong = secrets.needsKey(name.name);
      if (wrong) return this.#fail(wrong.code, wrong.message, stepAt(name), wrong.hint);
      return { type: 'secret', at, name: name.name };
    }
    const named = this.#named(key);
    if (!named) return failed;
    const member = secrets.member(name.name, named.name);
    if (typeof member === 'string') return { type: 'secret', at, name: member };
    return this.#fail(member.code, member.message, stepAt(key), member.hint);
  }

  #lookup(root: Step, [name, field, more]: Step[]): Resolved {
    const { stepAt, at } = this.#placed;
    const { lookups, incomplete } = this.#scope;
    if (!name || !field || more)
      return this.#fail('expression/syntax', '`lookup` needs a name and a field', at, '${lookup.name.field}');
    if (!lookups) return this.#fail('lookup/not-here', 'a lookup cannot be used here', stepAt(root));
    if (!lookups.has(name.name)) {
      if (incomplete) return failed;
      return this.#undeclared('lookup/undeclared', 'lookups', name, lookups.names());
    }
    const named = this.#named(field);
    const fields = lookups.fields(name.name);
    if (!named || !fields) return failed;
    if (!fields.includes(named.name))
      return this.#fail(
        'lookup/field',
        `the lookup ${quoted(name.name)} has no field ${quoted(named.name)}`,
        stepAt(field),
        hintFor(named.name, fields, 'it has'),
      );
    const isMoving = lookups.isMoving(name.name);
    return { type: 'lookup', at, name: name.name, attr: named.name, ...(isMoving ? { isMoving } : {}) };
  }

  #input([name, ...rest]: Step[]): Resolved {
    const { at } = this.#placed;
    const { input } = this.#scope;
    if (!input)
      return this.#fail(
        'input/not-here',
        'only a template has inputs',
        at,
        'for a variable, write `${var.name}`',
      );
    if (!name) return this.#fail('expression/syntax', '`input` needs a name', at, '${input.name}');
    if (!input.has(name.name)) return this.#undeclared('input/undeclared', '$inputs', name, input.names());
    const value = input.get(name.name);
    return value ? this.#within(value, rest) : failed;
  }

  #each(root: Step, steps: Step[]): Resolved {
    const { stepAt, at } = this.#placed;
    let each: Each | undefined = this.#scope.each;
    let [name, ...rest] = steps as [Step?, ...Step[]];
    while (each && name?.name === 'outer') {
      each = each.outer;
      [name, ...rest] = rest;
    }
    if (!each)
      return this.#fail(
        'each/not-here',
        this.#scope.each ? 'there is no outer `$each`' : 'there is no `$each` around it',
        stepAt(root),
        this.#scope.input
          ? 'a template cannot see the `$each` of the block that uses it: pass the value as an input'
          : undefined,
      );
    if (name?.name === 'value') return this.#within(each.value, rest);
    if (name?.name !== 'key' || rest.length > 0)
      return this.#fail(
        'expression/syntax',
        '`each` has a key and a value',
        at,
        '${each.key}, ${each.value}, ${each.value.name}, ${each.outer.key}',
      );
    return (
      each.key ??
      this.#fail('each/no-key', 'items of a list of maps have no key', stepAt(name), 'use ${each.value.name}')
    );
  }

  #stage(root: Step): Resolved {
    const { stage } = this.#scope;
    if (stage === undefined)
      return this.#fail(
        'stage/none',
        'the configuration has no stages',
        this.#placed.stepAt(root),
        'declare them under `stages` and select one with --stage',
      );
    const { at } = this.#placed;
    return { type: 'scalar', at, text: stage, value: stage };
  }

  /** A field of the nearest block of a kind around the text: its name as it is written, or a reference. */
  #around(root: Step, rest: Step[], block: Enclosing | undefined): Resolved {
    const { stepAt, at } = this.#placed;
    const kind = root.name;
    if (!block)
      return this.#fail(
        'expression/around',
        `this is not inside a ${kind}`,
        stepAt(root),
        'name it: ${projects.web.id}',
      );
    const [field, ...more] = rest;
    if (!field)
      return this.#fail(
        'expression/syntax',
        `name a field of the ${kind}`,
        at,
        block.key ? `\${${kind}.${block.key.field}}, \${${kind}.id}` : `\${${kind}.id}`,
      );
    if (block.key?.field === field.name && more.length === 0) return block.key.node;
    if (!this.#scope.secrets)
      return this.#fail('ref/in-name', 'a name can only contain values known at this point', stepAt(field));
    const way: Step[] = [];
    for (let one: Enclosing | undefined = block; one; one = one.parent)
      way.unshift(...one.path.map((name) => ({ name, start: stepAt(root).start })));
    const behind = this.#placedSteps([field, ...more]);
    return behind ? { type: 'ref', at, steps: [...way, ...behind] } : failed;
  }

  #filtered(found: Expression | Node, names: Step[]): Resolved {
    const { at, stepAt } = this.#placed;
    if (!isNode(found) || found.type !== 'scalar' || found.value === null)
      return this.#fail('expression/filter', 'a filter needs text that is known at this point', at);
    let { text } = found;
    for (const { name, start } of names) {
      const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
      if (!filter)
        return this.#fail(
          'expression/filter',
          `there is no filter ${quoted(name)}`,
          stepAt({ name, start }),
          hintFor(name, Object.keys(filters)),
        );
      const filtered = filter(text);
      if (filtered === '' && text !== '')
        return this.#fail(
          'expression/filter',
          `\`${name}\` removes all of this text`,
          stepAt({ name, start }),
          'it keeps letters and digits of the Latin alphabet',
        );
      text = filtered;
    }
    return { ...found, text, value: text } satisfies ScalarNode;
  }
}

/** The nearest block of a kind, from the inside. */
function enclosing(block: Enclosing | undefined, kind: string): Enclosing | undefined {
  for (let one = block; one; one = one.parent) if (one.kind === kind) return one;
  return undefined;
}

export const isNode = (part: Expression | Node): part is Node =>
  part.type !== 'secret' && part.type !== 'ref' && part.type !== 'lookup';
