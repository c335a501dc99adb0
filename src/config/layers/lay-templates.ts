import type { Kind } from '../../kind/kind.ts';
import type { EnclosingBlock, Scope } from '../expressions/scope.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entryOf, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { LayeringContext } from './context.ts';
import { comparableText } from './each.ts';
import { type GivenInput, Inputs } from './inputs.ts';
import type { Layer, StackItem } from './layer.ts';
import type { Template } from './templates.ts';
import { checkInputs, readUse, type Use } from './uses.ts';

const maxDepth = 50;

/**
 * The templates of one block. Each is laid once, directly below the layer that names it first, with the inputs that all layers give it:
 * the last one decides.
 */
export class TemplateStack {
  readonly #context: LayeringContext;
  readonly #kind: Kind | undefined;
  readonly #block: EnclosingBlock | undefined;
  readonly #named: ReadonlyMap<Layer, Use[]>;
  readonly #given = new Map<string, Map<string, GivenInput>>();
  readonly #laid = new Map<string, { way: ScalarNode[]; text: string }>();

  /** @param named the templates that each layer names, the weakest layer first */
  constructor(
    context: LayeringContext,
    named: ReadonlyMap<Layer, Use[]>,
    kind: Kind | undefined,
    block: EnclosingBlock | undefined,
  ) {
    this.#context = context;
    this.#kind = kind;
    this.#block = block;
    this.#named = named;
    for (const [layer, uses] of named)
      for (const use of uses) {
        const declared = context.templates.get(use.name.text)?.inputs;
        if (declared) checkInputs(use, declared, context.reporterFor(block));
        for (const [name, given] of this.#inputsOf(use, layer)) {
          const all = this.#given.get(use.name.text) ?? new Map<string, GivenInput>();
          this.#given.set(use.name.text, all.set(name, given));
        }
      }
  }

  /** The layers that go below one that names templates, the weakest first. */
  below(layer: Layer): StackItem[] {
    return (this.#named.get(layer) ?? []).flatMap(({ name }) =>
      this.#put(name, this.#given.get(name.text) ?? new Map(), layer, []),
    );
  }

  #inputsOf({ name, inputs }: Use, layer: Pick<Layer, 'scope' | 'isLiteral'>): Map<string, GivenInput> {
    const expanded = this.#context.expandIn(
      layer,
      this.#block,
    )({ type: 'map', at: name.at, entries: inputs });
    return new Map(
      expanded.type === 'map' ? expanded.entries.map(({ key, value }) => [key.text, { key, value }]) : [],
    );
  }

  #put(
    name: ScalarNode,
    given: ReadonlyMap<string, GivenInput>,
    by: Layer,
    scalarNodes: ScalarNode[],
  ): StackItem[] {
    const say = this.#context.reporterFor(this.#block);
    const template = this.#templateFor(name);
    if (!template) return [];
    const here = [...scalarNodes, name];
    const before = scalarNodes.findIndex((scalarNode) => scalarNode.text === name.text);
    if (before !== -1 || here.length > maxDepth) {
      const circle = here.slice(Math.max(0, before)).map(({ text }) => text);
      say('use/cycle', `these templates use each other in a cycle: ${circle.join(' → ')}`, name.at);
      return [];
    }
    const scope: Scope = { ...this.#context.globals };
    const inputs = new Inputs(template, given, {
      say,
      at: name.at,
      expand: (values) => {
        scope.input = values;
        return this.#context.expandIn({ scope }, this.#block);
      },
    });
    const text = inputs
      .names()
      .map((one) => inputText(inputs.get(one)))
      .join();
    const laid = this.#laid.get(template.name);
    if (laid) {
      if (laid.text !== text)
        say(
          'use/twice',
          `the template ${quoted(template.name)} is used twice with different inputs: ${formatUseChain(laid.way)}, and ${formatUseChain(here)}`,
          name.at,
          'a block can use a template only once; set the inputs in one place, or split the template',
          [{ message: 'the other use', at: laid.way.at(-1)!.at }],
        );
      return [];
    }
    this.#laid.set(template.name, { way: here, text });
    const layer: Layer = { node: template.body, at: name.at, scope, rank: 'template', fragment: by.fragment };
    if (!this.#context.isEnabled(layer, this.#block)) return [];
    const use = entryOf(template.body, '$use');
    const below = (use ? readUse(use.value, say) : []).flatMap((inner) => {
      const template = this.#context.templates.get(inner.name.text);
      if (template) checkInputs(inner, template.inputs, say);
      return this.#put(inner.name, this.#inputsOf(inner, layer), by, here);
    });
    return [...below, { layer }];
  }

  #templateFor(name: ScalarNode): Template | undefined {
    const { templates, kinds, globals } = this.#context;
    const say = this.#context.reporterFor(this.#block);
    const template = templates.get(name.text);
    this.#context.usedTemplates.add(name.text);
    const kind = this.#kind;
    if (!template && !globals.incomplete)
      say(
        'use/unknown',
        `there is no template ${quoted(name.text)}`,
        name.at,
        hintFor(name.text, [...templates.keys()], 'declared'),
      );
    if (!template?.kind || template.kind === kind?.name) return template;
    const { section } = kinds.get(template.kind)!;
    say(
      'use/kind',
      `the template ${quoted(template.name)} is for an entry of \`${section}\``,
      name.at,
      kind
        ? `this is an entry of \`${kind.section}\``
        : '`use:` is for templates without `$kind`, which contain sections',
    );
    return undefined;
  }
}

/** An input as text that equal ones share. */
const inputText = (node: Node | undefined): string =>
  node === undefined
    ? ''
    : (comparableText(node) ?? JSON.stringify(node, (key, value) => (key === 'at' ? undefined : value)));

const formatUseChain = (scalarNodes: ScalarNode[]): string =>
  scalarNodes.map(({ text, at }) => `${text} (line ${at.source.position(at.start).line})`).join(' → ');
