import { inProject, type Sample, text } from '../support/sample.ts';

const bypassOf = (name: string) => name + 'x'.repeat(32 - name.length);

export const protectionBypass: Sample = {
  place: (block) =>
    inProject({
      protectionBypass: {
        first: { secret: bypassOf('first'), isEnvVar: true, note: 'first' },
        e2e: block,
      },
    }),
  base: { note: 'e2e' },
  leaves: {
    secret: [bypassOf('one'), bypassOf('two')],
    note: text,
    isEnvVar: [false, false, { secret: bypassOf('three') }],
  },
  identity: ['secret', 'isEnvVar'],
  seed: { project: { protectionBypasses: [{ note: 'e2e' }] } },
};
