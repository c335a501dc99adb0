import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, entryOf, isNode, type Node } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { applyFilters } from './filters.ts';
import type { Path, Step } from './parse-expressions.ts';
import {
  absent,
  type ExpressionContext,
  type ExpressionPlace,
  failed,
  nearestBlock,
  type ResolvedValue,
  resolveEach,
  resolveEnclosingField,
  resolveInput,
  resolveLookup,
  resolveSecret,
  resolveStage,
  resolveVariable,
} from './resolve-roots.ts';
import type { Scope } from './scope.ts';

/** Resolves one expression of a text: to a value, or to a secret or reference that is resolved later. */
export function resolveExpression(
  path: Path | { error: string },
  placed: ExpressionPlace,
  scope: Scope,
  diagnostics: Diagnostic[],
): ResolvedValue {
  return new ExpressionResolver(placed, scope, diagnostics).resolve(path);
}

class ExpressionResolver implements ExpressionContext {
  readonly place: ExpressionPlace;
  readonly scope: Scope;
  readonly #diagnostics: Diagnostic[];

  constructor(placed: ExpressionPlace, scope: Scope, diagnostics: Diagnostic[]) {
    this.place = placed;
    this.scope = scope;
    this.#diagnostics = diagnostics;
  }

  fail(
    code: string,
    message: string,
    where: Spot,
    hint?: string,
    related?: Diagnostic['related'],
  ): typeof failed {
    const address = this.scope.block?.address;
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

  failUndeclared(code: string, section: string, step: Step, declared: string[]): typeof failed {
    return this.fail(
      code,
      `${quoted(step.name)} is not declared under \`${section}\``,
      this.place.stepAt(step),
      hintFor(step.name, declared, 'declared'),
    );
  }

  resolve(path: Path | { error: string }): ResolvedValue {
    const { at, isWhole } = this.place;
    if ('error' in path)
      return this.fail(
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
        ? this.fail(
            'expression/absent',
            `${quoted(name)} has no value, but the rest of the text needs one`,
            at,
          )
        : this.fail(
            'expression/absent',
            `${quoted(name)} has no value`,
            at,
            `\`\${${name}?}\` alone omits its key if there is no value`,
          );
    }
    if (path.filters) return applyFilters(this, found, path.filters);
    if (path.isOptional && typeof found === 'object' && !isNode(found) && found.type === 'lookup')
      return isWhole
        ? { ...found, isOptional: true }
        : this.fail(
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
    return this.fail(
      'var/not-text',
      `${called} is not text, so it must be the whole value`,
      this.place.stepAt(path.steps[1] ?? path.steps[0]!),
    );
  }

  #find(steps: Step[]): ResolvedValue {
    const { at, stepAt } = this.place;
    const [root, ...rest] = steps as [Step, ...Step[]];
    const isShownMember = this.scope.namesShownMembers && rest.length === 0 && root.name !== 'stage';
    if (isShownMember) return { type: 'shown', at, name: root.name };
    if (root.name === 'var') return resolveVariable(this, rest);
    if (root.name === 'secret') return resolveSecret(this, rest);
    if (root.name === 'lookup' && !this.scope.sections.includes('lookup'))
      return resolveLookup(this, root, rest);
    if (root.name === 'input') return resolveInput(this, rest);
    if (root.name === 'each') return resolveEach(this, root, rest);
    if (root.name === 'key' && rest.length === 0 && this.scope.key) return this.scope.key;
    if (root.name === 'stage' && rest.length === 0 && !this.scope.sections.includes('stage'))
      return resolveStage(this, root);
    if (this.scope.kinds.has(root.name)) {
      const block = nearestBlock(this.scope.block, root.name);
      if (block || !this.scope.sections.includes(root.name))
        return resolveEnclosingField(this, root, rest, block);
    }
    if (this.scope.secrets && this.scope.sections.includes(root.name)) {
      const named = this.resolveSteps(steps);
      return named ? { type: 'ref', at, steps: named } : failed;
    }
    // What stands here is not repeated: it may be part of a secret that happens to contain `${`.
    const { input, each, stage, secrets, sections, lookups } = this.scope;
    const roots = [
      'var',
      ...(input ? ['input'] : []),
      ...(each ? ['each'] : []),
      ...(stage === undefined ? [] : ['stage']),
      ...(secrets ? ['secret', ...sections] : []),
      ...(lookups && lookups.names().length > 0 ? ['lookup'] : []),
    ];
    return this.fail(
      'expression/unknown',
      'this expression starts with an unknown name',
      stepAt(root),
      `${hintFor(root.name, roots, 'known names')}; write \`$\${\` for a literal \`\${\``,
    );
  }

  /** Steps with their names, and their places in the file; undefined where one failed. */
  resolveSteps(steps: Step[]): Step[] | undefined {
    const placed: Step[] = [];
    for (const step of steps) {
      const named = this.resolveStep(step);
      if (!named) return undefined;
      placed.push({ name: named.name, start: this.place.stepAt(step).start });
    }
    return placed;
  }

  /** A step with its name, where other values make it; undefined where that failed. */
  resolveStep(step: Step): Step | undefined {
    const { name, start, computed } = step;
    if (!computed) return step;
    if ('text' in computed) {
      const text = this.place.expandName(name);
      return text === undefined ? undefined : { name: text, start };
    }
    const found = this.#find(computed.path.map((inner) => ({ ...inner, start })));
    if (found === failed) return undefined;
    if (typeof found === 'object' && isNode(found) && found.type === 'scalar' && found.value !== null)
      return { name: found.text, start };
    this.fail(
      'expression/name',
      `${quoted(name)} is not known as text at this point`,
      this.place.stepAt(step),
    );
    return undefined;
  }

  /** Follows names into a known value. */
  followSteps(value: Node, steps: Step[]): ResolvedValue {
    let node = value;
    for (const step of steps) {
      const named = this.resolveStep(step);
      if (!named) return failed;
      if (node.type !== 'map')
        return this.fail(
          'expression/no-map',
          `${quoted(named.name)} is looked up in ${describe(node)}`,
          this.place.stepAt(step),
          node.type === 'list' ? 'a list has no names; iterate over it with `$each`' : undefined,
        );
      const entry = entryOf(node, named.name);
      if (!entry) return absent;
      node = entry.value;
    }
    return node;
  }
}
