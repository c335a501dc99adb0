import { inProject, type Sample } from '../support/sample.ts';

const gitSource = { type: 'github', org: 'acme', repo: 'LABEL', ref: 'main' };
const [one, two] = ['one', 'two'].map((name) => `\${projects.LABEL.deployments.${name}.id}`);

export const alias: Sample = {
  place: (block) =>
    inProject({
      deployments: { one: { gitSource }, two: { gitSource } },
      aliases: { 'LABEL.vercel.app': block },
    }),
  base: { deploymentId: one },
  leaves: {
    deploymentId: [one, two],
    redirect: ['www.example.com', 'example.com'],
  },
  seed: { project: { aliases: [{ alias: 'web-demo.vercel.app' }] } },
};
