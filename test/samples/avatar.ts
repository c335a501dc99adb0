import { hash } from 'node:crypto';
import { pictures } from '../support/pictures.ts';
import { inProject, type Sample } from '../support/sample.ts';

export const avatar: Sample = {
  place: (block) => inProject({ avatar: block }),
  base: { file: 'one.png' },
  leaves: { file: ['one.png', 'other.png'] },
  seed: { project: { avatar: hash('sha1', pictures['one.png']) } },
};
