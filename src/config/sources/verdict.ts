/** Whether something may be read. */
export type Verdict =
  | {
      allowed: true;
      /** The real path of the file, or of the program to run. */
      path?: string;
    }
  | {
      allowed: false;
      message: string;
      /** No allowance helps. */
      never?: true;
      /** It is not there, so that nothing is to be allowed. */
      isGone?: true;
      /** What allows it. */
      flag?: string;
      /** By what a memory knows it, where that is not its name. */
      key?: string;
      path?: string;
    };
