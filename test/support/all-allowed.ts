import { openSources, type Sources } from '../../src/config/sources/sources.ts';

/** Sources of which the environment may be read as a whole, of files only pictures beside the configuration, and programs not at all. */
export const allAllowed = (env: Record<string, string | undefined>, cwd: string): Sources =>
  openSources({
    env,
    cwd,
    allowances: {
      env: () => ({ allowed: true }),
      envShown: () => true,
      files: ['**/*.png', '*.svg'],
      commands: [],
      live: () => true,
      noteUse: () => {},
      unusedFlags: () => [],
    },
  });
