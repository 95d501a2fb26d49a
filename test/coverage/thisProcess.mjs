// Counts this process alone: what the tests start would leave hundreds of megabytes of counts to be read and added.
delete process.env.NODE_V8_COVERAGE;
