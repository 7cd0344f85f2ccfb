package httpapi

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank/banks"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

const tagFiatTransfers = "Fiat transfers"

// fiatTransferRoutes are those under /v1/fiat/transfers, and the same under /v1/transfers, where
// a transfer is made with a flat body from the business's own balance.
func (a *api) fiatTransferRoutes() []route {
	lists := get("/v1/fiat/transfers", query(a.fiatTransfers), about{
		id: "getFiatTransfers", tag: tagFiatTransfers,
		summary: "Read one transfer of naira, or list them", message: "Transfers retrieved successfully",
	})
	codes := get("/v1/fiat/transfers/banks", query(a.banks), about{
		id: "getBanks", tag: tagFiatTransfers,
		summary: "List the banks that naira can be sent to", message: "Banks retrieved successfully",
	})
	enquires := post("/v1/fiat/transfers/name-enquiry", outside(a.enquire), about{
		id: "enquireFiatAccount", scope: business.PayOut, tag: tagFiatTransfers,
		summary: "Read who a bank account belongs to", message: "Account verified successfully",
	})
	status := post("/v1/fiat/transfers/status", unit(a.fiatTransferStatus), about{
		id: "getFiatTransferStatus", scope: business.PayOut, tag: tagFiatTransfers,
		summary: "Read how far a transfer is", message: "Transfer retrieved successfully",
	})
	return []route{
		post("/v1/fiat/transfers", makes(a.createFiatTransfer, viewFiatTransfer), about{
			id: "createFiatTransfer", scope: business.PayOut, tag: tagFiatTransfers, prose: []string{"narration"},
			summary: "Send naira to a bank account", message: "Transfer initiated",
		}),
		lists, codes, enquires, status,
		post("/v1/transfers", makes(a.createWalletTransfer, viewFiatTransfer), about{
			id: "createNairaTransfer", scope: business.PayOut, tag: tagFiatTransfers, prose: []string{"narration"},
			summary: "Send naira to a bank account from the business's balance", message: "Transfer initiated",
		}),
		lists.alias("getNairaTransfers", tagFiatTransfers, "/v1/transfers"),
		codes.alias("getTransferBanks", tagFiatTransfers, "/v1/transfers/banks"),
		enquires.alias("enquireTransferAccount", tagFiatTransfers, "/v1/transfers/name-enquiry"),
		status.alias("getNairaTransferStatus", tagFiatTransfers, "/v1/transfers/status"),
	}
}

// anyTransferInput is what both ways to send naira have in common.
type anyTransferInput struct {
	bodyKey
	majorUnits
	Amount    strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"25000.50"`
	Currency  string             `json:"currency" required:"true" doc:"NGN" eg:"NGN"`
	Reference string             `json:"reference" doc:"The business's own name for the transfer: unique for ever; by default its id" max:"100" eg:"rent-march"`
	Narration string             `json:"narration" doc:"What the receiver reads" max:"200" eg:"Rent"`
}

// params are those of a transfer to an account, but for its source.
func (in *anyTransferInput) params(p *ferry.Problems, channel transfers.Channel, to beneficiaryInput) transfers.Params {
	return transfers.Params{
		Channel: channel, Reference: in.Reference, Currency: in.Currency, BankCode: to.BankCode, AccountNumber: to.AccountNumber,
		Amount: amountOf(p, "amount", money.AssetNGN, in.Amount), Narration: in.Narration,
	}
}

type fiatTransferInput struct {
	anyTransferInput
	Source      string           `json:"source_bank_account_id" required:"true" doc:"A source account of the business" eg:"bank_019cadd4569875d7a1b61a53693e7f0f"`
	Beneficiary beneficiaryInput `json:"beneficiary" required:"true"`
}

func (in *fiatTransferInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.params)
}

func (in *fiatTransferInput) params(p *ferry.Problems) transfers.Params {
	params := in.anyTransferInput.params(p, transfers.FromAccount, in.Beneficiary)
	params.Source = in.Source
	return params
}

func (a *api) createFiatTransfer(c *call, in fiatTransferInput) ferry.Operation[transfers.Tx, transfers.Transfer] {
	return a.engine.Transfers.CreateOp(c.scope, in.params(new(ferry.Problems)))
}

type walletTransferInput struct {
	anyTransferInput
	beneficiaryInput
}

func (in *walletTransferInput) check(p *ferry.Problems) {
	in.refuse("", p)
	judge(p, in.params)
}

func (in *walletTransferInput) params(p *ferry.Problems) transfers.Params {
	return in.anyTransferInput.params(p, transfers.FromWallet, in.beneficiaryInput)
}

func (a *api) createWalletTransfer(c *call, in walletTransferInput) ferry.Operation[transfers.Tx, transfers.Transfer] {
	return a.engine.Transfers.CreateOp(c.scope, in.params(new(ferry.Problems)))
}

type fiatTransfersQuery struct {
	ID        string `query:"id" doc:"Reads one transfer, in either form, trf_… or uid_…"`
	UID       string `query:"uid" doc:"As id"`
	Reference string `query:"reference" doc:"Reads one transfer"`
	Status    string `query:"status" enum:"pending,processing,success,failed,reversed"`
	Type      string `query:"type" doc:"Every transfer here is OUT" enum:"IN,OUT"`
	rangeQuery
	pageQuery
}

type fiatTransfersOutput = either[fiatTransferView, fiatTransferView]

func (a *api) fiatTransfers(ctx context.Context, c *call, in fiatTransfersQuery) (fiatTransfersOutput, error) {
	if in.ID != "" || in.UID != "" || in.Reference != "" {
		found, err := a.fiatTransfer(ctx, c, in.Reference, in.ID, in.UID)
		return one[fiatTransferView, fiatTransferView](viewFiatTransfer(found)), err
	}
	if in.Type == string(statement.In) {
		return fiatTransfersOutput{list: paged(in.page(), ferry.List[transfers.Transfer]{}, viewFiatTransfer)}, nil
	}
	found, err := a.engine.Transfers.List(ctx, c.scope, transfers.Filter{
		Status: transfers.Status(in.Status), Range: in.between(),
	}, in.page())
	return fiatTransfersOutput{list: paged(in.page(), found, viewFiatTransfer)}, err
}

// fiatTransfer reads the one transfer that a reference and ids mean.
func (a *api) fiatTransfer(ctx context.Context, c *call, reference string, ids ...string) (transfers.Transfer, error) {
	ref, ok := fiatTransferRef(reference, ids...)
	if !ok {
		return transfers.Transfer{}, transfers.ErrNotFound
	}
	return a.engine.Transfers.Get(ctx, c.scope, ref)
}

// fiatTransferRef is the name that a reference and ids make up, and whether they can name
// something.
func fiatTransferRef(reference string, ids ...string) (transfers.Ref, bool) {
	id, ok := optionalID(transfers.Prefix, ids...)
	return transfers.Ref{ID: id, Reference: reference}, ok
}

type fiatTransferStatusInput struct {
	UID       string `json:"uid" doc:"In either form, trf_… or uid_…" eg:"trf_019cadd46e0878ec834189614d3d15ce"`
	ID        string `json:"id" doc:"As uid"`
	Reference string `json:"reference" doc:"This or uid" eg:"-"`
}

func (in *fiatTransferStatusInput) check(p *ferry.Problems) {
	if in.UID == "" && in.ID == "" && in.Reference == "" {
		p.Add("uid", missing)
	}
}

func (a *api) fiatTransferStatus(ctx context.Context, tx store.Tx, c *call, in fiatTransferStatusInput) (fiatTransferView, error) {
	ref, ok := fiatTransferRef(in.Reference, in.UID, in.ID)
	if !ok {
		return fiatTransferView{}, transfers.ErrNotFound
	}
	found, err := transfers.GetIn(ctx, tx, c.scope, ref)
	return viewFiatTransfer(found), err
}

type bankView struct {
	BankCode string       `json:"bank_code" doc:"That of the Central Bank, or that of NIBSS where there is none" eg:"058"`
	BankName string       `json:"bank_name" eg:"Guaranty Trust Bank"`
	NIPCode  optionalText `json:"nip_code" doc:"That of NIBSS, which is accepted as well" eg:"000013"`
}

func (a *api) banks(_ context.Context, c *call, _ struct{}) ([]bankView, error) {
	return viewBanks(c.scope.Env), nil
}

// viewBanks lists the banks of Nigeria, and in the test environment the simulated one first.
func viewBanks(env ferry.Env) []bankView {
	all := banks.All()
	if env == ferry.Test {
		all = append([]banks.Bank{banks.Simulated()}, all...)
	}
	views := make([]bankView, 0, len(all))
	for _, b := range all {
		views = append(views, bankView{b.Code(), b.Name, optionalText(b.NIP)})
	}
	return views
}

type fiatTransferView struct {
	ID                 int64             `json:"id" doc:"For display; rises, with gaps" eg:"1598640128000001"`
	UID                transfers.ID      `json:"uid" eg:"trf_019cadd46e0878ec834189614d3d15ce"`
	Reference          string            `json:"reference" eg:"rent-march"`
	Status             transfers.Status  `json:"status" enum:"pending,processing,success,failed,reversed" eg:"pending"`
	Stage              outflow.Stage     `json:"stage,omitempty" doc:"What it waits for before the bank is asked; left out when that is nothing" enum:"pending_approval" eg:"-"`
	Amount             number            `json:"amount" doc:"Naira, like all amounts here" eg:"25000.5"`
	Fee                number            `json:"fee" eg:"0"`
	Currency           string            `json:"currency" enum:"NGN" eg:"NGN"`
	AmountUnit         string            `json:"amount_unit" enum:"major" eg:"major"`
	Type               string            `json:"type" enum:"OUT" eg:"OUT"`
	Channel            transfers.Channel `json:"channel" doc:"What it names as its source" enum:"bank_account,wallet" eg:"bank_account"`
	DebitAccountID     optionalText      `json:"debit_account_id" doc:"Null when the source is the business's balance" eg:"bank_019cadd4569875d7a1b61a53693e7f0f"`
	DebitAccountNumber optionalText      `json:"debit_account_number" eg:"9000000001"`
	Beneficiary        beneficiaryView   `json:"beneficiary"`
	Narration          string            `json:"narration" eg:"Rent"`
	BalanceBefore      number            `json:"balance_before" doc:"What the business had available before amount and fee were set aside" eg:"1000000"`
	BalanceAfter       number            `json:"balance_after" doc:"… and after" eg:"974999.5"`
	SessionID          optionalText      `json:"session_id" doc:"The bank's own id of the payment; null until it is paid" eg:"null"`
	LastError          optionalText      `json:"last_error" doc:"Why it failed, or why the money came back" eg:"null"`
	PaidAt             optionalTime      `json:"paid_at" eg:"null"`
	ReturnedAt         optionalTime      `json:"returned_at" doc:"When the money came back after success" eg:"null"`
	CreatedAt          timestamp         `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt          timestamp         `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewFiatTransfer(t transfers.Transfer) fiatTransferView {
	fee, _ := t.Fees.Total() // it was added up when it was set aside
	account, debited := t.Debited()
	return fiatTransferView{
		ID: ferry.Number(string(t.ID)), UID: t.ID, Reference: t.Reference, Status: t.Status, Stage: t.Stage, Amount: number(t.Amount), Fee: number(fee),
		Currency: "NGN", AmountUnit: "major", Type: string(statement.Out), Channel: t.Channel, DebitAccountID: optionalText(account), DebitAccountNumber: optionalText(debited),
		Beneficiary: beneficiaryView{t.To.BankCode, t.To.AccountNumber, optionalText(t.To.AccountName)}, Narration: t.Narration,
		BalanceBefore: number(t.BalanceBefore), BalanceAfter: number(t.BalanceAfter),
		SessionID: optionalText(t.SessionID), LastError: optionalText(t.Failure),
		PaidAt: optionalTime(t.PaidAt), ReturnedAt: optionalTime(t.ReturnedAt),
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
}
