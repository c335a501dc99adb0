import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';

const text = `stack: demo
platform: { team: acme }
projects:
  web:
    framework: nextjs
    resourceConfig:
      fluid: true
    env: { A: { value: a, type: plain } }
`;

it('a field is found where it is written, and what is not written is not', async () => {
  const { desired } = await load({ kinds: kindsOf(hosting.kinds), cwd: '.', env: {}, text });
  const at = (address: string, path: string) => {
    const place = desired.fieldAt!(address, path);
    return place && [place.line, place.column, place.endColumn, place.text?.trim()];
  };
  expect(at('projects/web', 'framework')).toEqual([5, 5, 22, 'framework: nextjs']);
  expect(at('projects/web', 'resourceConfig.fluid')).toEqual([7, 7, 18, 'fluid: true']);
  expect(at('projects/web/env/A@production', 'type')).toEqual([8, 27, 38, expect.any(String)]);
  expect(at('projects/web', 'resourceConfig.none.fluid')).toEqual([6, 5, undefined, 'resourceConfig:']);
  expect(at('projects/web', 'nodeVersion')).toBeUndefined();
  expect(at('projects/none', 'framework')).toBeUndefined();
});
