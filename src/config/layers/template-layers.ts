import type { Kind } from '../../kind/kind.ts';
import { jsonWithoutPlaces, type Reporter } from '../../model/diagnostic.ts';
import { isExact } from '../../model/read-json.ts';
import type { Expand } from '../expressions/expand.ts';
import type { EnclosingBlock, InputValues } from '../expressions/scope.ts';
import type { ReplacedValue } from '../mask-replaced-values.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  dataSpotOf,
  describeNodeType,
  entriesOf,
  hasReportedProblem,
  mapNode,
  memberOf,
  type Node,
  type ScalarNode,
  typedValue,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { comparableNodeText } from './each-and-when.ts';
import type { Layer, LayerItem } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import type { InputDeclaration, InputType, Template } from './templates.ts';
import { checkInputs, readUse, type Use } from './uses.ts';

/** How many templates may use each other in a row. People write a few; more could exceed the call stack. */
const maxTemplateDepth = 50;

/**
 * The layers of the templates that one block uses. Each template is used once, directly below the layer that uses it first. Its inputs come
 * from all layers that use it: for each input, the highest layer decides.
 */
export class TemplateLayers {
  readonly #context: MergeContext;
  readonly #kind: Kind | undefined;
  readonly #block: EnclosingBlock | undefined;
  readonly #report: Reporter;
  readonly #usesByLayer: ReadonlyMap<Layer, Use[]>;
  /** For each template, the inputs that the layers of the block set. */
  readonly #inputsByTemplate = new Map<string, Map<string, UseInput>>();
  /** The templates that were used so far, each with the way to its use and its inputs as text. */
  readonly #usedTemplates = new Map<string, { chain: ScalarNode[]; inputsText: string }>();

  /**
   * Prepares the layers of the templates that one block uses. A block, its templates and its patches may all
   * name one template, and each of these uses may set some of its inputs. So the inputs of all uses are
   * collected first, and those of a higher layer win. `usesByLayer`: the uses in each layer's `$use`, from
   * the lowest layer to the highest.
   */
  constructor(
    context: MergeContext,
    usesByLayer: ReadonlyMap<Layer, Use[]>,
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
  ) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#report = context.reporterFor(block);
    this.#usesByLayer = usesByLayer;
    for (const [layer, uses] of usesByLayer)
      for (const use of uses) {
        const templateName = use.name.text;
        const declaredInputs = context.templates.get(templateName)?.inputs;
        if (declaredInputs) checkInputs(use, declaredInputs, this.#report);
        const inputs = this.#inputsByTemplate.get(templateName) ?? new Map<string, UseInput>();
        for (const [name, input] of this.#inputsOf(use, layer)) inputs.set(name, input);
        this.#inputsByTemplate.set(templateName, inputs);
      }
  }

  /**
   * Returns the layers of the templates that `layer` (a block, a patch or an entry of `use:`) uses. They go
   * directly below it, from the lowest to the highest, so that it overrides the templates that it uses.
   */
  below(layer: Layer): LayerItem[] {
    return (this.#usesByLayer.get(layer) ?? []).flatMap(({ name }) =>
      this.#layersOf(name, this.#inputsByTemplate.get(name.text)!, layer.fragment, []),
    );
  }

  /**
   * Returns the inputs that a use sets for its template, with their expressions replaced in the scope of the layer that contains the use.
   */
  #inputsOf({ name, inputs }: Use, layer: Pick<Layer, 'scope' | 'isExpanded'>): Map<string, UseInput> {
    const expanded = this.#context.expandIn(layer, this.#block)(mapNode(inputs, name.at));
    return new Map(entriesOf(expanded).map((entry) => [entry.key.text, entry]));
  }

  /**
   * Returns the layers that one template adds to a block: those of the templates that it uses itself, then its own. None if the template
   * was applied to the block before, if its `$when` switches it off, or after a report. `fragment`: that of the layer of the block with the
   * `$use`. `callers`: the names of the templates between that layer and this one, to find cycles.
   */
  #layersOf(
    name: ScalarNode,
    useInputs: ReadonlyMap<string, UseInput>,
    fragment: Layer['fragment'],
    callers: ScalarNode[],
  ): LayerItem[] {
    const template = this.#templateFor(name);
    if (!template || this.#isCycle(name, callers)) return [];
    const { globals } = this.#context;
    const inputs = new Inputs(template, useInputs, {
      report: this.#report,
      replaced: this.#context.replaced,
      at: name.at,
      // A default may contain other inputs.
      expand: (values) => this.#context.expandIn({ scope: { ...globals, input: values } }, this.#block),
    });
    const chain = [...callers, name];
    if (!this.#isFirstUse(template, inputs, chain)) return [];
    const scope = { ...globals, input: inputs };
    const layer: Layer = { node: template.body, at: name.at, scope, rank: 'template', fragment };
    if (!this.#context.isEnabled(layer, this.#block, this.#kind)) return [];
    return [...this.#layersUsedBy(layer, chain), { layer }];
  }

  /**
   * Returns the layers of the templates that a template uses itself. `layer`: its own layer. `chain`: the names of the templates that lead
   * to it, and its own, by which `#layersOf` finds a template that uses itself.
   */
  #layersUsedBy(layer: Layer, chain: ScalarNode[]): LayerItem[] {
    const use = memberOf(layer.node, '$use');
    if (!use) return [];
    return readUse(use, this.#report).flatMap((innerUse) => {
      const template = this.#context.templates.get(innerUse.name.text);
      if (template) checkInputs(innerUse, template.inputs, this.#report);
      return this.#layersOf(innerUse.name, this.#inputsOf(innerUse, layer), layer.fragment, chain);
    });
  }

  /**
   * True, after a report, if a template uses itself through others, or is nested too deep to be meant.
   * `callers`: the names of the templates that lead to this use.
   */
  #isCycle(name: ScalarNode, callers: ScalarNode[]): boolean {
    const cycleStart = callers.findIndex((caller) => caller.text === name.text);
    if (cycleStart === -1 && callers.length < maxTemplateDepth) return false;
    const chain = [...callers, name].map(({ text }) => text);
    const message =
      cycleStart === -1
        ? `more than ${maxTemplateDepth} templates use each other in a row, beginning with ${chain.slice(0, 3).join(' → ')}`
        : `these templates use each other in a cycle: ${chain.slice(cycleStart).join(' → ')}`;
    this.#report.error('config/cycle', message, { at: name });
    return true;
  }

  /**
   * Records that the block uses a template, and returns true if it had not used it before. A block can reach
   * one template in two ways, for example through two other templates, but the template is applied only once.
   * A second use is reported if it has other inputs. `chain`: the names of the templates that lead to this
   * use, for the message.
   */
  #isFirstUse(template: Template, inputs: Inputs, chain: ScalarNode[]): boolean {
    const inputsText = [...inputs.declared.keys()].map((name) => inputText(inputs.get(name))).join();
    const firstUse = this.#usedTemplates.get(template.name);
    if (!firstUse) {
      this.#usedTemplates.set(template.name, { chain, inputsText });
      return true;
    }
    if (firstUse.inputsText !== inputsText)
      this.#report.error(
        'use/twice',
        `the template ${quoted(template.name)} is used twice with different inputs: ${formatUseChain(firstUse.chain)}, and ${formatUseChain(chain)}`,
        {
          at: chain.at(-1)!,
          hint: 'a block can use a template only once; set the inputs in one place, or split the template',
          related: [{ message: 'the other use', at: firstUse.chain.at(-1)!.at }],
        },
      );
    return false;
  }

  /**
   * Returns the template that a `$use` names. Returns undefined after a report, if it is not declared or is
   * for blocks of another kind. Also records that it is used: templates that nothing uses are checked
   * separately. A missing template is not reported if a file could not be read (`incomplete`), because that
   * file may declare it.
   */
  #templateFor(name: ScalarNode): Template | undefined {
    const { templates, kinds, globals } = this.#context;
    const template = templates.get(name.text);
    this.#context.usedTemplates.add(name.text);
    if (!template) {
      this.#context.uncertain.addBlock(this.#block?.address);
      if (globals.incomplete) return undefined;
      return this.#report.error('use/unknown', `there is no template ${quoted(name.text)}`, {
        at: name,
        hint: hintFor(name.text, templates, 'declared'),
      });
    }
    const kind = this.#kind;
    if (!template.kind || template.kind === kind?.name) return template;
    const { section } = kinds.get(template.kind)!;
    const message = `the template ${quoted(template.name)} is for an entry of \`${section}\``;
    return this.#report.error('use/kind', message, {
      at: name,
      hint: kind
        ? `this is an entry of \`${kind.section}\``
        : '`use:` is for templates without `$kind`, which contain sections',
    });
  }
}

/**
 * Returns a text that is equal for equal inputs of a template, to report a block that uses it twice with different inputs. A value that
 * only a plan has is compared as it is written.
 */
const inputText = (node: Node | undefined): string =>
  node === undefined ? '' : (comparableNodeText(node) ?? jsonWithoutPlaces(node));

/** Returns the names of the templates on the way to a use, with their lines, for messages: `site (line 4) → base (line 9)`. */
const formatUseChain = (scalarNodes: ScalarNode[]): string =>
  scalarNodes.map(({ text, at }) => `${text} (line ${at.source.position(at.start).line})`).join(' → ');

/** A value that a use of a template sets for one of its inputs. */
interface UseInput {
  key: ScalarNode;
  /** The value, with its expressions replaced in the scope of the use. */
  value: Node;
}

const maxInputLength = 10_000;

/**
 * The inputs of one use of a template, for `${input.name}` in the template. A default is expanded when its value is first requested, since
 * it may contain other inputs. An input with an invalid value is reported and has the value undefined.
 */
export class Inputs implements InputValues {
  /** The values so far: undefined if an input has no valid value. A default is missing here until it is first requested. */
  readonly #values = new Map<string, Node | undefined>();
  /** The inputs whose defaults are being expanded. Each contains the next. */
  readonly #expanding = new Set<string>();
  readonly declared: Template['inputs'];
  readonly #expand: Expand;
  readonly #report: Reporter;

  /**
   * Prepares the inputs of one use of a template, so that `${input.name}` in the template has a value. Checks
   * the inputs that the use sets, and reports those that are missing. `useInputs`: the inputs that the use
   * sets, by name. `expand`: takes these inputs and returns the function which replaces the expressions in
   * defaults (they may contain other inputs). `at`: the place of the use, for messages. `replaced`: collects the defaults that
   * the use replaces, because messages must mask such a default if the value of the use is a secret.
   */
  constructor(
    template: Template,
    useInputs: ReadonlyMap<string, UseInput>,
    {
      expand,
      report,
      at,
      replaced,
    }: { expand(inputs: Inputs): Expand; report: Reporter; at: Spot; replaced: ReplacedValue[] },
  ) {
    this.declared = template.inputs;
    this.#report = report;
    this.#expand = expand(this);
    for (const [name, declaration] of template.inputs) {
      const useInput = useInputs.get(name);
      if (useInput && declaration.default)
        replaced.push({ replaced: declaration.default, replacement: useInput.value });
      if (useInput) this.#values.set(name, this.#convert(name, declaration, useInput.value));
      else if (!declaration.default) this.#values.set(name, undefined);
    }
    const missing = [...template.inputs].filter(
      ([name, declaration]) => !useInputs.has(name) && !declaration.default,
    );
    if (missing.length === 0) return;
    const [, { at: declaredAt }] = missing[0]!;
    const names = missing.map(([name]) => name);
    report.error(
      'input/missing',
      `the template ${quoted(template.name)} needs ${names.map(quoted).join(', ')}`,
      {
        at,
        hint: `$use: { ${template.name}: { ${names.map((name) => `${name}: ...`).join(', ')} } }`,
        related: [{ message: 'declared here', at: declaredAt }],
      },
    );
  }

  /**
   * Returns the value of a template's input, for `${input.name}`. A default is expanded when it is first needed, because it may contain
   * other inputs. Returns undefined after a report, for example if defaults contain each other in a cycle.
   */
  get(name: string): Node | undefined {
    const declaration = this.declared.get(name);
    if (!declaration || this.#values.has(name)) return this.#values.get(name);
    if (this.#expanding.has(name)) {
      const expanding = [...this.#expanding];
      const cycle = [...expanding.slice(expanding.indexOf(name)), name];
      this.#report.error('config/cycle', `these inputs depend on each other: ${cycle.join(' → ')}`, {
        at: declaration,
      });
      return undefined;
    }
    this.#expanding.add(name);
    const value = this.#convert(name, declaration, this.#expand(declaration.default!));
    this.#expanding.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /**
   * Returns the value of a template's input in the type which its `declaration` names, because a text from a data file may be a number.
   * Returns undefined after a report, if the value does not fit the declaration, so that no resource is created from it.
   */
  #convert(name: string, declaration: InputDeclaration, value: Node): Node | undefined {
    if (hasReportedProblem(value)) return undefined;
    const conversion = convertInput(declaration, value);
    if ('node' in conversion) return conversion.node;
    const dataSpot = dataSpotOf(value);
    const spotsOfValue = dataSpot ? [{ message: 'the value', at: dataSpot }] : [];
    return this.#report.error('input/value', `the input ${quoted(name)} ${conversion.fault}`, {
      at: value,
      related: [...spotsOfValue, { message: 'declared here', at: declaration.at }],
    });
  }
}

/**
 * Returns a value in the type which an input declares, or as `fault` why it does not fit the type, the pattern or the allowed values: the
 * rest of a sentence that begins with the input.
 */
function convertInput(declaration: InputDeclaration, value: Node): { node: Node } | { fault: string } {
  const { type, pattern, patternText, values } = declaration;
  if (!type && !pattern && !values) return { node: value };
  if (value.type === 'expression' || value.type === 'hole')
    return { fault: 'must be known before the plan: it cannot be a secret or a reference' };
  const node = toInputType(type ?? 'string', value);
  if (!node) return { fault: `must be ${inputTypeWords[type ?? 'string']}, not ${describeNodeType(value)}` };
  if (node.type !== 'scalar') return { node };
  if (node.text.length > maxInputLength) return { fault: `has more than ${maxInputLength} characters` };
  if (pattern && !pattern.matches(node.text))
    return { fault: `does not match its pattern, \`${patternText}\`` };
  if (values && !values.includes(node.text))
    return { fault: `must be one of ${values.map(quoted).join(', ')}` };
  return { node };
}

/** The words for the types of inputs in messages. */
const inputTypeWords: Record<InputType, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
};

/**
 * Returns a value converted to the type which a template declares for its input, such as the text `3` to the
 * number 3: values from CSV files, flags and the environment are texts. Returns undefined if it does not fit,
 * or if a number has too many digits to be kept exactly.
 */
function toInputType(type: InputType, node: Node): Node | undefined {
  if (type === 'list' || type === 'map') return node.type === type ? node : undefined;
  if (node.type !== 'scalar' || node.value === null) return undefined;
  const { text } = node;
  if (type === 'string') return { ...node, value: text };
  const value = typedValue(text);
  if (type === 'boolean') return typeof value === 'boolean' ? { ...node, value } : undefined;
  if (typeof value !== 'number' || !isExact(text, value)) return undefined;
  return type === 'integer' && !Number.isInteger(value) ? undefined : { ...node, value };
}
