import { CST } from 'yaml';
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import { Anchors } from './anchors.ts';
import { maxDepth, maxExpansion, type Node, type ScalarNode } from './nodes.ts';
import { plainValue } from './plain-value.ts';
import type { Source, Spot } from './source.ts';
import { isOrdinaryEnd, isOrdinaryName, type Props, readProps } from './token-checks.ts';
import { describeYamlError } from './yaml-problems.ts';

/** Thrown to give up a file that is nested or expanded too far. */
export const giveUp = Symbol('give up');

/** A plain scalar on one line that begins with no reserved character. */
const ordinaryPlain = /^[^\s,%|>@`][^\n\r]*$/;
/** A scalar in quotes on one line, without escapes. */
const ordinaryQuoted = /^(?:'[^'\n\r]*'|"[^"\\\n\r]*")$/;
const coreTag = /^!!(?:str|int|float|bool|null|map|seq)$/;

/** Builds the nodes of scalars and aliases, for the reader of collections that extends it. Terms: see `node-reader.ts`. */
export class ScalarReader {
  readonly problems: Diagnostic[] = [];
  isSuspicious = false;
  protected readonly report = new Reporter(this.problems);
  protected readonly source: Source;
  protected anchors = new Anchors();
  /** The offset behind the last value or key that was read. */
  protected end = 0;

  constructor(source: Source) {
    this.source = source;
  }

  /** Marks the text as suspicious if the condition is true. A slow, complete check for syntax errors then decides. */
  protected suspectIf(isSuspicious: boolean | undefined): void {
    if (isSuspicious) this.isSuspicious = true;
  }

  protected spot(start: number, end = start): Spot {
    return { source: this.source, start, end };
  }

  /** Reads the tokens in front of a node. Marks the text as suspicious if their order is unusual. */
  protected readProps(...[tokens, indicator, isFlow]: Parameters<typeof readProps>): Props {
    const props = readProps(tokens, indicator, isFlow);
    this.suspectIf(props.isSuspicious);
    return props;
  }

  /**
   * Reports a tag that is not part of the core schema of YAML, such as `!include`, because nothing would carry out its
   * meaning.
   */
  protected checkTag({ source, offset }: CST.SourceToken): void {
    if (coreTag.test(source)) return;
    const { code, message, hint } = describeYamlError('TAG_RESOLVE_FAILED');
    this.report.error(code, message, { at: this.spot(offset), hint });
  }

  /** Builds the node of an empty value: null, or an empty text with the tag `!!str`. */
  protected emptyNode(offset: number, tag: CST.SourceToken | undefined): ScalarNode {
    this.end = offset;
    return { type: 'scalar', at: this.spot(offset), text: '', value: tag?.source === '!!str' ? '' : null };
  }

  /**
   * Builds the node of a scalar. Ordinary scalars are read here, because asking the parser takes several times as long.
   */
  protected readScalar(
    token: CST.FlowScalar | CST.BlockScalar,
    tag: CST.SourceToken | undefined,
  ): ScalarNode {
    const { type, source, offset } = token;
    let text: string;
    let end = offset + source.length;
    const isOrdinary = type !== 'block-scalar' && isOrdinaryEnd(token.end);
    if (isOrdinary && type === 'scalar' && ordinaryPlain.test(source)) text = source;
    else if (isOrdinary && ordinaryQuoted.test(source)) text = source.slice(1, -1);
    else {
      const resolved = CST.resolveAsScalar(token, true, () => this.suspectIf(true));
      text = resolved.value;
      end = resolved.range[1];
    }
    this.end = end;
    const isString = tag ? tag.source === '!!str' : type !== 'scalar';
    return { type: 'scalar', at: this.spot(offset, end), text, value: isString ? text : plainValue(text) };
  }

  /**
   * Returns the node that an alias (`*name`) stands for. Reports an alias without an anchor, and returns null instead.
   * Throws `giveUp` after it reported that aliases multiply or nest the values too much.
   */
  protected readAlias({ source, offset, end }: CST.FlowScalar, depth: number): Node {
    this.suspectIf(!isOrdinaryName(source) || !isOrdinaryEnd(end));
    const name = source.slice(1);
    const aliasSpot = this.spot(offset, offset + source.length);
    this.end = aliasSpot.end;
    const node = this.anchors.expand(name, depth);
    if (typeof node === 'object') return node;
    if (node === 'too-large') {
      const message = `the aliases up to here expand to more than ${maxExpansion} values`;
      this.report.error('yaml/alias-limit', message, { at: aliasSpot });
      throw giveUp;
    }
    if (node === 'too-deep') {
      const message = `with this alias, values are nested more than ${maxDepth} levels deep`;
      this.report.error('yaml/depth', message, { at: aliasSpot });
      throw giveUp;
    }
    // In a data file the name may be a password that begins with `*`.
    const shownName = this.source.isQuoted ? quoted(name) : 'of this name';
    const message =
      node === 'open'
        ? `the alias ${quoted(name)} is inside its own anchor`
        : `no anchor ${shownName} is defined before this alias`;
    this.report.error('yaml/alias', message, { at: aliasSpot });
    this.anchors.count(depth);
    return { type: 'scalar', at: aliasSpot, text: '', value: null };
  }
}
