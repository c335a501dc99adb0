import { inProject, type Sample } from '../support/sample.ts';

export const deployHook: Sample = {
  place: (block) =>
    inProject({ gitRepository: { type: 'github', repo: 'acme/web' }, deployHooks: { LABEL: block } }),
  base: { ref: 'main', $secretTo: 'discard' },
  leaves: { ref: ['main', 'next'] },
};
