// Package engine runs a plan's handlers for one event: select, split by file, run group by group,
// merge, and show guards the final input.
//
// It knows events, plans and handlers. It must not know any agent, nor how an answer is printed.
//
// Laws, each a test:
//
//   - no Allow follows a failed handler;
//   - every group runs, also after a no: loggers must see it;
//   - guards see the first and the final input;
//   - an Allow is void when another handler changes the input it was given for.
package engine
