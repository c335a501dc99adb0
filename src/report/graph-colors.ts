import type { Action } from '../model/change.ts';

/** The colour behind a node; each label says the same in words. Dark text is readable on all of them. */
export const graphColors: Record<Action, string> = {
  create: '#d3f2d3',
  adopt: '#d2e9f9',
  update: '#fbedc0',
  move: '#eddcf7',
  replace: '#f9cfcf',
  delete: '#f9cfcf',
  release: '#e8e8e8',
  forget: '#e8e8e8',
  noop: '#ffffff',
};
