import type { Kind } from '../../kind/kind.ts';
import type { EnclosingBlock, Scope } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entriesOf, mapNode, memberOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { comparableText } from './each.ts';
import { Inputs, type UseInput } from './inputs.ts';
import type { Layer, LayerItem } from './layer.ts';
import type { MergeContext } from './merge-context.ts';
import type { Template } from './templates.ts';
import { checkInputs, readUse, type Use } from './uses.ts';

/** Templates that use each other this deep are treated as a cycle. */
const maxTemplateDepth = 50;

/**
 * The layers of the templates that one block uses. Each template is used once, directly below the layer that uses it first. Its inputs come
 * from all layers that use it: for each input, the highest layer decides.
 */
export class TemplateLayers {
  readonly #context: MergeContext;
  readonly #kind: Kind | undefined;
  readonly #block: EnclosingBlock | undefined;
  readonly #usesByLayer: ReadonlyMap<Layer, Use[]>;
  /** For each template, the inputs that the layers of the block set. */
  readonly #inputsByTemplate = new Map<string, Map<string, UseInput>>();
  /** The templates that were used so far, each with the way to its use and its inputs as text. */
  readonly #usedTemplates = new Map<string, { chain: ScalarNode[]; inputsText: string }>();

  /**
   * Collects the inputs of all uses first, because a higher layer may set an input for the use of a lower one.
   * @param usesByLayer the templates that each layer uses, from the lowest layer to the highest
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
    this.#usesByLayer = usesByLayer;
    for (const [layer, uses] of usesByLayer)
      for (const use of uses) {
        const templateName = use.name.text;
        const declaredInputs = context.templates.get(templateName)?.inputs;
        if (declaredInputs) checkInputs(use, declaredInputs, context.reporterFor(block));
        const inputs = this.#inputsByTemplate.get(templateName) ?? new Map<string, UseInput>();
        for (const [name, input] of this.#inputsOf(use, layer)) inputs.set(name, input);
        this.#inputsByTemplate.set(templateName, inputs);
      }
  }

  /**
   * Returns the layers of the templates that `layer` uses, from the lowest to the highest. They go directly below it, so that a block or
   * patch overrides the templates that it uses.
   */
  below(layer: Layer): LayerItem[] {
    return (this.#usesByLayer.get(layer) ?? []).flatMap(({ name }) =>
      this.#layersOf(name, this.#inputsByTemplate.get(name.text)!, layer, []),
    );
  }

  /**
   * Returns the inputs that a use sets for its template, with their expressions replaced in the scope of the layer that contains the use.
   */
  #inputsOf({ name, inputs }: Use, layer: Pick<Layer, 'scope' | 'isLiteral'>): Map<string, UseInput> {
    const expanded = this.#context.expandIn(layer, this.#block)(mapNode(inputs, name.at));
    return new Map(entriesOf(expanded).map((entry) => [entry.key.text, entry]));
  }

  /**
   * Returns the layers of one template: those of the templates that it uses itself, then its own. None if the template was used before,
   * after a report, or if its `$when` switches it off. `user`: the layer of the block that uses it. `callers`: the names of the templates
   * on the way from there, to find cycles.
   */
  #layersOf(
    name: ScalarNode,
    useInputs: ReadonlyMap<string, UseInput>,
    user: Layer,
    callers: ScalarNode[],
  ): LayerItem[] {
    const report = this.#context.reporterFor(this.#block);
    const template = this.#templateFor(name);
    if (!template) return [];
    const chain = [...callers, name];
    const cycleStart = callers.findIndex((caller) => caller.text === name.text);
    if (cycleStart !== -1 || chain.length > maxTemplateDepth) {
      const cycle = chain.slice(Math.max(0, cycleStart)).map(({ text }) => text);
      report.error('config/cycle', `these templates use each other in a cycle: ${cycle.join(' → ')}`, {
        at: name,
      });
      return [];
    }
    const scope: Scope = { ...this.#context.globals };
    const inputs = new Inputs(template, useInputs, {
      report,
      at: name.at,
      expand: (values) => {
        scope.input = values;
        return this.#context.expandIn({ scope }, this.#block);
      },
    });
    if (!this.#isFirstUse(template, inputs, chain)) return [];
    const layer: Layer = {
      node: template.body,
      at: name.at,
      scope,
      rank: 'template',
      fragment: user.fragment,
    };
    if (!this.#context.isEnabled(layer, this.#block)) return [];
    const use = memberOf(template.body, '$use');
    const innerUses = use ? readUse(use, report) : [];
    const innerLayers = innerUses.flatMap((innerUse) => {
      const innerTemplate = this.#context.templates.get(innerUse.name.text);
      if (innerTemplate) checkInputs(innerUse, innerTemplate.inputs, report);
      return this.#layersOf(innerUse.name, this.#inputsOf(innerUse, layer), user, chain);
    });
    return [...innerLayers, { layer }];
  }

  /**
   * True if the block did not use a template before, and records the use. A block gets each template only once, so a second use is ignored;
   * it is reported if it has other inputs. `chain`: the names of the templates on the way to the use.
   */
  #isFirstUse(template: Template, inputs: Inputs, chain: ScalarNode[]): boolean {
    const inputsText = inputs
      .names()
      .map((inputName) => inputText(inputs.get(inputName)))
      .join();
    const firstUse = this.#usedTemplates.get(template.name);
    if (!firstUse) {
      this.#usedTemplates.set(template.name, { chain, inputsText });
      return true;
    }
    if (firstUse.inputsText !== inputsText)
      this.#context
        .reporterFor(this.#block)
        .error(
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
   * Returns the template with a name, and records that it is used. Returns undefined after a report, if it is not declared or is for blocks
   * of another kind.
   */
  #templateFor(name: ScalarNode): Template | undefined {
    const { templates, kinds, globals } = this.#context;
    const report = this.#context.reporterFor(this.#block);
    const template = templates.get(name.text);
    this.#context.usedTemplates.add(name.text);
    const kind = this.#kind;
    if (!template && !globals.incomplete)
      report.error('use/unknown', `there is no template ${quoted(name.text)}`, {
        at: name,
        hint: hintFor(name.text, templates, 'declared'),
      });
    if (!template?.kind || template.kind === kind?.name) return template;
    const { section } = kinds.get(template.kind)!;
    report.error('use/kind', `the template ${quoted(template.name)} is for an entry of \`${section}\``, {
      at: name,
      hint: kind
        ? `this is an entry of \`${kind.section}\``
        : '`use:` is for templates without `$kind`, which contain sections',
    });
    return undefined;
  }
}

/** Returns a text that is equal for equal inputs. A value that only a plan has is compared as it is written. */
const inputText = (node: Node | undefined): string =>
  node === undefined
    ? ''
    : (comparableText(node) ?? JSON.stringify(node, (key, value) => (key === 'at' ? undefined : value)));

/** Returns the names of the templates on the way to a use, with their lines, for messages: `site (line 4) → base (line 9)`. */
const formatUseChain = (scalarNodes: ScalarNode[]): string =>
  scalarNodes.map(({ text, at }) => `${text} (line ${at.source.position(at.start).line})`).join(' → ');
