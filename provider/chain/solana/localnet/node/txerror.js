'use strict';
// Errors of transactions, as a node writes them.

const native = require('litesvm-linux-x64-gnu');

/** ofTransaction are the errors without fields, at the numbers that the virtual machine gives them. */
const ofTransaction = [
  'AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound', 'InsufficientFundsForFee',
  'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound', 'CallChainTooDeep', 'MissingSignatureForFee',
  'InvalidAccountIndex', 'SignatureFailure', 'InvalidProgramForExecution', 'SanitizeFailure', 'ClusterMaintenance',
  'AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion', 'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit', 'WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks', 'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit', 'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded', 'InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit', 'CommitCancelled',
];

/** ofInstruction are those of instructions. */
const ofInstruction = [
  'GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData', 'AccountDataTooSmall', 'InsufficientFunds',
  'IncorrectProgramId', 'MissingRequiredSignature', 'AccountAlreadyInitialized', 'UninitializedAccount', 'UnbalancedInstruction',
  'ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified', 'ReadonlyLamportChange',
  'ReadonlyDataModified', 'DuplicateAccountIndex', 'ExecutableModified', 'RentEpochModified', 'NotEnoughAccountKeys',
  'AccountDataSizeChanged', 'AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified', 'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt', 'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable', 'IncorrectAuthority',
  'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded', 'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError',
];

/** fromNative returns the JSON of an error of the virtual machine. */
function fromNative(err) {
  if (typeof err === 'number') return ofTransaction[err];
  if (err instanceof native.TransactionErrorInstructionError) return { InstructionError: [err.index, instruction(err.err())] };
  if (err instanceof native.TransactionErrorDuplicateInstruction) return { DuplicateInstruction: err.index };
  if (err instanceof native.TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: err.accountIndex } };
  }
  return { ProgramExecutionTemporarilyRestricted: { account_index: err.accountIndex } };
}

function instruction(err) {
  if (typeof err === 'number') return ofInstruction[err];
  if (err instanceof native.InstructionErrorCustom) return { Custom: err.code };
  return { BorshIoError: err.msg };
}

const texts = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  AccountLoadedTwice: 'Account loaded twice',
  AddressLookupTableNotFound: 'Transaction loads an address table account that doesn\'t exist',
};

/** text returns an error as people read it in the message of a refused submission. */
function text(err) {
  if (typeof err === 'string') return texts[err] ?? spaced(err);
  const [name, value] = Object.entries(err)[0];
  if (name === 'InsufficientFundsForRent') return `Transaction results in an account (${value.account_index}) with insufficient funds for rent`;
  if (name !== 'InstructionError') return spaced(name);
  const [index, cause] = value;
  if (typeof cause === 'string') return `Error processing Instruction ${index}: ${spaced(cause).toLowerCase()}`;
  const [kind, detail] = Object.entries(cause)[0];
  return `Error processing Instruction ${index}: ` + (kind === 'Custom' ? `custom program error: 0x${detail.toString(16)}` : `${spaced(kind)}: ${detail}`);
}

const spaced = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** payable are errors before any program runs for which a block takes the fee nevertheless. */
const payable = new Set(['ProgramAccountNotFound', 'InvalidProgramForExecution', 'MaxLoadedAccountsDataSizeExceeded', 'InvalidLoadedAccountsDataSizeLimit']);

module.exports = { fromNative, text, payable };
