import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from './phases.ts';

/** A function and its callers, innermost first, with what it used itself: samples of its time, or bytes. */
export interface StackSample {
  stack: Frame[];
  amount: number;
}

interface CallFrame {
  functionName: string;
  url: string;
  /** Both count from 0. */
  lineNumber: number;
  columnNumber: number;
}

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
}

interface HeapNode {
  callFrame: CallFrame;
  selfSize: number;
  children: HeapNode[];
}

/** Maps functions of a profile back to the sources of the program. Reads each source map once. */
export class FrameReader {
  readonly #maps = new Map<string, SourceMap>();

  read({ functionName, url, lineNumber, columnNumber }: CallFrame): Frame {
    // Node.js wraps each file into a function without a name.
    const isTopLevel = functionName === '' && lineNumber === 0 && columnNumber === 0 && url !== '';
    // The heap profiler gives paths, the CPU profiler URLs.
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!path.startsWith('/')) return { functionName, source: url, isTopLevel };
    const map = this.#mapOf(path);
    if (!map) return { functionName, source: basename(path), isTopLevel };
    if (isTopLevel) {
      // A file starts with the modules that its last one imports.
      const source = `${basename(path)} (${fromRoot(map.payload.sources.at(-1) ?? '')})`;
      return { functionName: '(modules)', source, isTopLevel };
    }
    const { originalSource } = map.findEntry(lineNumber, columnNumber) as { originalSource?: string };
    return { functionName, source: fromRoot(originalSource ?? basename(path)), isTopLevel };
  }

  #mapOf(path: string): SourceMap | undefined {
    const known = this.#maps.get(path);
    if (known || !existsSync(`${path}.map`)) return known;
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    this.#maps.set(path, map);
    return map;
  }
}

/** Sources are relative to the folder of the built files. */
function fromRoot(source: string): string {
  return source.replace(/^(\.\.\/)+/, '');
}

/**
 * Returns in how many samples of a `.cpuprofile` each function was the innermost one. Samples in which the process waited are left out. The
 * time between two samples is ignored, because it is long if another process had the processor.
 */
export function readCpuProfile(path: string, frames: FrameReader): StackSample[] {
  const { nodes, samples } = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
  const counts = new Map<number, number>();
  for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stackSamples: StackSample[] = [];
  const visit = (id: number, callers: Frame[]): void => {
    const { callFrame, children = [] } = byId.get(id)!;
    const stack = [frames.read(callFrame), ...callers];
    const amount = counts.get(id) ?? 0;
    if (amount > 0 && callFrame.functionName !== '(idle)') stackSamples.push({ stack, amount });
    for (const child of children) visit(child, stack);
  };
  visit(nodes[0]!.id, []);
  return stackSamples;
}

/** Returns what each function of a `.heapprofile` allocated, in bytes. */
export function readHeapProfile(path: string, frames: FrameReader): StackSample[] {
  const { head } = JSON.parse(readFileSync(path, 'utf8')) as { head: HeapNode };
  const stackSamples: StackSample[] = [];
  const visit = ({ callFrame, selfSize, children }: HeapNode, callers: Frame[]): void => {
    const stack = [frames.read(callFrame), ...callers];
    if (selfSize > 0) stackSamples.push({ stack, amount: selfSize });
    for (const child of children) visit(child, stack);
  };
  visit(head, []);
  return stackSamples;
}
