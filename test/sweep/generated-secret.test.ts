import { it } from 'vitest';
import { crashEverywhere } from './crash-sweep.ts';
import { generatedSecretScenario } from './scenarios.ts';

it('a run that writes a generated secret to a variable can be stopped anywhere', async () => {
  await crashEverywhere(generatedSecretScenario, 3);
});
