/** The environment for a program that we start, without our own settings: the platform's token is among them. */
export const visibleEnv = (env: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('TRUEUP_')));
