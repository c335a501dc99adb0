import type { Change } from '../model/change.ts';
import { flow } from './cut.ts';
import type { PlanContext } from './plan-context.ts';
import type { Style } from './style.ts';

/** The sign in front of a change, and what it stands for. */
export interface Marker {
  sign: string;
  means: string;
  paint: keyof Omit<Style, 'width'>;
}

const markers = {
  create: { sign: '+', means: 'create', paint: 'add' },
  update: { sign: '~', means: 'update', paint: 'change' },
  move: { sign: '>', means: 'move', paint: 'move' },
  adopt: { sign: '=', means: 'adopt (exists already)', paint: 'adopt' },
  adoptAndUpdate: { sign: '=~', means: 'adopt and update', paint: 'change' },
  release: { sign: '.', means: 'let go (not deleted)', paint: 'quiet' },
  replace: { sign: '-/+', means: 'delete and create again', paint: 'remove' },
  delete: { sign: '-', means: 'delete', paint: 'remove' },
  forget: { sign: '.', means: 'let go (not deleted)', paint: 'quiet' },
  noop: { sign: ' ', means: 'as it should be', paint: 'quiet' },
} as const satisfies Record<string, Marker>;

/** An adoption that sends anything is marked as one that does. */
export function markerOf(change: Change, { carriers }: PlanContext): Marker {
  const updates = change.action === 'adopt' && carriers.has(change.address);
  return markers[updates ? 'adoptAndUpdate' : change.action];
}

/** The signs in use, explained once, in lines of `width`. */
export function legend(changes: Change[], context: PlanContext, width: number): string[] {
  const used = new Set(changes.map((change) => markerOf(change, context).sign));
  const items = Object.values(markers).filter(({ sign }) => used.delete(sign));
  return flow(
    items.map(({ sign, means }) => `${sign} ${means}`),
    '   ',
    width,
  );
}
