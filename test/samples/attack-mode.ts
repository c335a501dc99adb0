import { inProject, type Sample } from '../support/sample.ts';

const soon = Date.UTC(2100, 0, 1);

export const attackMode: Sample = {
  place: (block) => inProject({ attackMode: block }),
  base: { attackModeEnabled: true, attackModeActiveUntil: soon },
  leaves: {
    // One does not go without the other.
    attackModeEnabled: [true, true],
    attackModeActiveUntil: [soon + 3_600_000, soon + 7_200_000],
  },
  single: ['attackModeEnabled'],
  seed: { project: { attackMode: { activeUntil: soon } } },
};
