let name: string | undefined;

/**
 * The name of the stack that this run is about, once a configuration told it. A run can fail anywhere after that, and whatever it fails
 * with, what is said of it in a pull request has to be found under this name.
 */
export const currentStack = {
  get: (): string | undefined => name,
  set: (stack: string | undefined): void => {
    name = stack;
  },
};
