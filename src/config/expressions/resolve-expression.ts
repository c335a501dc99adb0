import type { Details, Reporter } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describeNodeType,
  type Expression,
  entryOf,
  isNode,
  isText,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { ExpressionPath, PathStep } from './parse-expressions.ts';
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
import type { ExpressionScope } from './scope.ts';

/**
 * Resolves one expression of a text to a value. Used for every `${...}` of a configuration while it is loaded, and
 * for the names in `$when`. Secrets, lookups and references to resources become expressions that are resolved later.
 */
export function resolveExpression(
  path: ExpressionPath | { error: string },
  place: ExpressionPlace,
  scope: ExpressionScope,
  report: Reporter,
): ResolvedValue {
  return new ExpressionResolver(place, scope, report).resolve(path);
}

/** Resolves one expression. Also the context that the functions of `resolve-roots.ts` get. */
class ExpressionResolver implements ExpressionContext {
  readonly place: ExpressionPlace;
  readonly scope: ExpressionScope;
  readonly #report: Reporter;

  /**
   * Creates the resolver of one `${...}` expression, which finds its value. `place`: where it is written, for
   * messages, and whether it is the whole text. `scope`: the variables, inputs, secrets and so on that it may
   * name there. Problems go to `report`, with the address of the block around the expression.
   */
  constructor(place: ExpressionPlace, scope: ExpressionScope, report: Reporter) {
    this.place = place;
    this.scope = scope;
    this.#report = report.withDetails({ address: scope.block?.address });
  }

  fail(code: string, message: string, details: Details): typeof failed {
    this.#report.error(code, message, details);
    return failed;
  }

  /**
   * Reports an expression that names something not declared in a section (`${var.nmae}`), and suggests the
   * most similar declared name, or says how to declare it if nothing is declared. Returns `failed`, so that
   * callers can return it as the value of the expression.
   */
  failUndeclared(
    code: string,
    section: string,
    step: PathStep,
    declared: ReadonlyMap<string, unknown>,
  ): typeof failed {
    const example = `${section}: { ${step.name}: ${section === 'secrets' ? '{}' : '…'} }`;
    return this.fail(code, `${quoted(step.name)} is not declared under \`${section}\``, {
      at: this.place.stepAt(step),
      hint: hintFor(step.name, declared, 'declared') ?? `declare it: \`${example}\``,
    });
  }

  /**
   * Returns the value of one `${...}` expression of the configuration, which the caller puts in its place:
   * the value at its path, after its filters. Returns `failed` if a problem was reported, and `absent` for an
   * optional expression (`${x?}`) without a value. If the expression is not the whole text (`isWhole`), only
   * text is allowed. Values that only a plan or a run knows (secrets, lookups, references) stay expressions.
   */
  resolve(path: ExpressionPath | { error: string }): ResolvedValue {
    const { at, isWhole } = this.place;
    if ('error' in path)
      return this.fail('expression/syntax', `this \`\${\` begins an expression, but ${path.error}`, {
        at,
        hint: 'write `$${` for a literal `${`',
      });
    const value = this.#resolvePath(path.steps);
    if (value === failed) return failed;
    const name = path.steps.map((step) => step.name).join('.');
    if (value === absent) return path.isOptional && isWhole ? absent : this.#failAbsent(name, path);
    if (path.filters) return applyFilters(this, value, path.filters);
    // Whether a lookup has a value is known only after its query, so the `?` is kept for the plan.
    const isLookup = typeof value === 'object' && !isNode(value) && value.type === 'lookup';
    if (path.isOptional && isLookup)
      return isWhole
        ? { ...value, isOptional: true }
        : this.fail('expression/syntax', 'only a whole value can be omitted', {
            at,
            hint: `write \`\${...?}\` as the whole value`,
          });
    const fitsIntoText = !isNode(value) || value.type === 'expression' || isText(value);
    if (isWhole || fitsIntoText) return value;
    const shortName = quoted(name.replace(/^var\./, ''));
    return this.fail('expression/not-text', `${shortName} is not text, so it must be the whole value`, {
      at: this.place.stepAt(path.steps[1] ?? path.steps[0]!),
    });
  }

  /**
   * Reports that the expression with this name has no value, but that its place in the configuration needs one. The hint suggests `${x?}`
   * if that place can be left out.
   */
  #failAbsent(name: string, { isOptional }: ExpressionPath): typeof failed {
    const { at, isWhole, isOmittable } = this.place;
    const message = `${quoted(name)} has no value${isOptional ? ', but the rest of the text needs one' : ''}`;
    const canOmit = !isOptional && isWhole && isOmittable;
    const hint = canOmit ? `\`\${${name}?}\` alone omits its key if there is no value` : undefined;
    return this.fail('expression/absent', message, { at, hint });
  }

  /**
   * Returns the value at the path of an expression, before its filters and its `?` apply. The first name
   * decides what the path is about. The fixed names (`var`, `secret`, ...) come before sections and kinds, so
   * that a new kind can never change what they mean. Only for `lookup` and `stage` a section of this name
   * comes first.
   */
  #resolvePath(steps: PathStep[]): ResolvedValue {
    const { at } = this.place;
    const [root, ...innerSteps] = steps as [PathStep, ...PathStep[]];
    // In the `value` of `$secretTo`, a single name such as `${id}` means a member of the answer in which the platform shows a secret.
    const isShownMember = this.scope.namesShownMembers && innerSteps.length === 0 && root.name !== 'stage';
    if (isShownMember) return { type: 'shown', at, name: root.name };
    if (root.name === 'var') return resolveVariable(this, innerSteps);
    if (root.name === 'secret') return resolveSecret(this, innerSteps);
    if (root.name === 'lookup' && !this.scope.sections.includes('lookup'))
      return resolveLookup(this, root, innerSteps);
    if (root.name === 'input') return resolveInput(this, innerSteps);
    if (root.name === 'each') return resolveEach(this, root, innerSteps);
    if (root.name === 'key' && innerSteps.length === 0 && this.scope.key) return this.scope.key;
    if (root.name === 'stage' && innerSteps.length === 0 && !this.scope.sections.includes('stage'))
      return resolveStage(this, root);
    if (this.scope.kinds.has(root.name)) {
      const block = nearestBlock(this.scope.block, root.name);
      // A kind can have the name of a section. Outside of its blocks, the name means the section.
      if (block || !this.scope.sections.includes(root.name))
        return resolveEnclosingField(this, root, innerSteps, block);
    }
    // A scope without secrets (of names and conditions) takes no value that is known later, so no reference either.
    if (this.scope.secrets && this.scope.sections.includes(root.name)) {
      const resolvedSteps = this.resolveSteps(steps);
      return resolvedSteps ? { type: 'ref', at, steps: resolvedSteps } : failed;
    }
    return this.#failUnknown(root);
  }

  /**
   * Reports an expression whose first name (`root`) is unknown, such as `${vra.x}`, and returns `failed`. The
   * hint has a similar valid name, or else a list of valid ones (without the kinds of enclosing blocks, as in
   * `${project.name}`). The expression is not quoted, since it may be part of a secret that contains `${`.
   */
  #failUnknown(root: PathStep): typeof failed {
    const { input, each, key, stage, secrets, sections, lookups } = this.scope;
    const roots = [
      'var',
      ...(key ? ['key'] : []),
      ...(input ? ['input'] : []),
      ...(each ? ['each'] : []),
      ...(stage === undefined ? [] : ['stage']),
      ...(secrets ? ['secret', ...sections] : []),
      ...(lookups && lookups.declared.size > 0 ? ['lookup'] : []),
    ];
    return this.fail('expression/unknown', 'this expression starts with an unknown name', {
      at: this.place.stepAt(root),
      hint: `${hintFor(root.name, roots, 'known names')}; write \`$\${\` for a literal \`\${\``,
    });
  }

  /**
   * Returns the names of a path to a resource, such as `projects[input.name].id`, with computed names
   * (`[input.name]`) replaced by their values. References to resources are stored in this form until their targets
   * are read. Each name has its place in the file, for messages. Returns undefined after it reported a problem.
   */
  resolveSteps(steps: PathStep[]): PathStep[] | undefined {
    const resolved: PathStep[] = [];
    for (const step of steps) {
      const resolvedStep = this.resolveStep(step);
      if (!resolvedStep) return undefined;
      resolved.push({ name: resolvedStep.name, start: this.place.stepAt(step).start });
    }
    return resolved;
  }

  /**
   * Returns one step (name) of a path. A computed name, such as `[input.country]`, is replaced by its value.
   * That must be a text that is known now, because it decides to which object the path leads. Returns
   * undefined after it reported a problem.
   */
  resolveStep(step: PathStep): PathStep | undefined {
    const { name, start, computed } = step;
    if (!computed) return step;
    // `["api-${input.country}"]`
    if ('text' in computed) {
      const text = this.place.expandName(name);
      return text === undefined ? undefined : { name: text, start };
    }
    // `[input.country]`
    const value = this.#resolvePath(computed.path.map((inner) => ({ ...inner, start })));
    if (value === failed) return undefined;
    if (typeof value === 'object' && isNode(value) && isText(value)) return { name: value.text, start };
    this.fail('expression/name', `${quoted(name)} is not known as text at this point`, {
      at: this.place.stepAt(step),
    });
    return undefined;
  }

  /**
   * Returns the value that a path such as `${var.regions.eu}` reaches inside the value of a variable, an input or `each`. `start`: that
   * value; `steps`: the names behind it, here `eu`. Returns `absent` if a key is missing, so that `?` can leave it out. Reports a path into
   * something that is no map, or a computed name that is not known as text, and returns `failed`.
   */
  followSteps(start: Node, steps: PathStep[]): ResolvedValue {
    let node = start;
    for (const step of steps) {
      const resolvedStep = this.resolveStep(step);
      if (!resolvedStep) return failed;
      if (node.type !== 'map')
        return this.fail(
          'expression/no-map',
          `${quoted(resolvedStep.name)} is looked up in ${describeNodeType(node)}`,
          {
            at: this.place.stepAt(step),
            hint: node.type === 'list' ? 'a list has no names; iterate over it with `$each`' : undefined,
          },
        );
      const entry = entryOf(node, resolvedStep.name);
      if (!entry) return absent;
      node = entry.value;
    }
    return node;
  }
}

/** Letters that Unicode does not decompose into a base letter and marks, and their usual spelling. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/**
 * Splits a text into words of `a-z` and `0-9` in lower case, for the filters `slug` and `snake`, which join
 * them: `Ærø Café` gives `aero` and `cafe`. Letters lose their accents, and all other characters separate
 * words.
 */
function splitWords(text: string): string[] {
  const asciiText = text
    .toLowerCase()
    .replace(/[ßæœøđðłþ]/g, (letter) => letters[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return asciiText.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/**
 * The filters of expressions, such as `${input.country | upper}`. Names are made with them, and names are identities. So the result of a
 * filter for a text must never change; a table of cases in the tests makes sure of it.
 */
export const filters: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** `Österreich & Co.` becomes `osterreich-co`. */
  slug: (text) => splitWords(text).join('-'),
  /** `site-at` becomes `site_at`. */
  snake: (text) => splitWords(text).join('_'),
};

/**
 * Returns the text of an expression with its filters applied, in order, as in `${input.country | upper}`. The result is
 * a text also for a number or a boolean. Fails, after a report, for a value that is no scalar or is not known now, for
 * null, for an unknown filter, and for a filter that would remove the whole text, because names of resources are made
 * with filters.
 */
function applyFilters(
  context: ExpressionContext,
  resolved: Expression | Node,
  names: PathStep[],
): ResolvedValue {
  const { at, stepAt } = context.place;
  if (!isNode(resolved) || resolved.type !== 'scalar' || resolved.value === null)
    return context.fail('expression/filter', 'a filter needs text that is known at this point', { at });
  let { text } = resolved;
  for (const { name, start } of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter)
      return context.fail('expression/filter', `there is no filter ${quoted(name)}`, {
        at: stepAt({ name, start }),
        hint: hintFor(name, Object.keys(filters)),
      });
    const result = filter(text);
    if (result === '' && text !== '')
      return context.fail('expression/filter', `\`${name}\` removes all of this text`, {
        at: stepAt({ name, start }),
        hint: 'it keeps letters and digits of the Latin alphabet',
      });
    text = result;
  }
  return { ...resolved, text, value: text } satisfies ScalarNode;
}
